package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.migrate.verify.RowDifference;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What stops a move before the flip, or its cleaning, and what the caller is told of it. */
class VerificationTest extends MovingShop {
    VerificationTest() {
        super(6);
    }

    @Test
    void callerIsToldWhichRowsDifferAndTheMessageIsNot() {
        String id = lab.query(s1, "SELECT max(id) FROM app.m_orders WHERE tenant_id = ?", tenant.value())
                .get(0);
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.after(Step.COPY_ROWS))) {
                behindTheGuard("UPDATE app.m_orders SET note = 'secret' WHERE id = " + id);
            }
        });
        MovePlan plan = engine.plan(tenant, s2);

        MoveException failure =
                catchThrowableOfType(MoveException.class, () -> engine.execute(plan, MoveListener.NONE));

        assertThat(failure)
                .hasMessageContaining("app.m_orders: contents of rows differ (rows=6), in buckets [")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
        assertThat(failure.differences()).singleElement().satisfies(row -> {
            assertThat(row.key()).containsEntry("id", id).containsEntry("tenant_id", tenant.value());
            assertThat(row.source()).isNotNull();
            assertThat(row.target()).isNotNull();
        });
        assertThat(failure.differences())
                .extracting(RowDifference::toString)
                .containsExactly("app.m_orders: a row with other values");
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    void checkThatIsAnsweredDifferentlyStopsTheFlip() {
        MoveCheck same = new MoveCheck("total", "SELECT sum(total) FROM app.m_orders WHERE tenant_id = ?");
        MoveCheck unlike = new MoveCheck("where", "SELECT pg_catalog.current_database(), ?");
        MoveEngine engine = lab.engine(MoveLab.CONFIG.checks(List.of(same, unlike)));
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("the shards answer differently to checks [where]");
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.move(tenant, s2).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    /** The rows are as they were; what the application's question depends on is not. */
    @Test
    void checkThatIsAnsweredOtherwiseThanBeforeTheFlipStopsCleaning() {
        MoveCheck check = new MoveCheck(
                "currencies",
                "SELECT c.code FROM app.currencies c WHERE EXISTS (SELECT FROM app.z_company WHERE id = ?)");
        MoveEngine engine = lab.engine(MoveLab.CONFIG.checks(List.of(check)));
        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);
        Certificate certificate = engine.certificate(report.move());
        assertThat(certificate.checks()).singleElement().satisfies(answer -> {
            assertThat(answer.check()).isEqualTo(check);
            assertThat(answer.rows()).isEqualTo(2);
        });
        assertThat(Certificate.parse(certificate.toJson())).isEqualTo(certificate);

        lab.run(s1, "INSERT INTO app.currencies VALUES ('XXX')");
        try {
            // asked though this mover has no checks: the certificate has them
            assertThatThrownBy(() -> lab.engine().clean(report.move(), true))
                    .hasMessageContaining("checks are answered otherwise than when the tenant moved: [currencies]");
            assertThat(lab.engine().recheck(certificate).problems()).hasSize(1);
        } finally {
            lab.run(s1, "DELETE FROM app.currencies WHERE code = 'XXX'");
        }
        assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    @Test
    void sequenceThatWouldHandOutValuesAgainStopsTheFlip() {
        String sequence = lab.query(s2, "SELECT pg_get_serial_sequence('app.m_orders', 'id')")
                .get(0);
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.after(Step.ADVANCE_SEQUENCES))) {
                lab.run(s2, "ALTER SEQUENCE " + sequence + " RESTART");
            }
        });
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .hasMessageContaining("sequences of the target would hand out values again: [app.m_orders_id_seq]");
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    void bothShardsAreAskedAtTheSameTime() throws SQLException {
        CyclicBarrier both = new CyclicBarrier(2);
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            BothShards.Question<Integer> question = shard -> {
                try {
                    both.await(20, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException("one waits for the other", e);
                }
                return Jdbc.one(shard, "SELECT 1", row -> row.getInt(1));
            };
            assertThat(new BothShards(source, target).ask(question, question))
                    .isEqualTo(new BothShards.Answers<>(1, 1));
        }
    }

    @Test
    void shardThatFailsBreaksTheOtherOff() throws SQLException {
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            BothShards.Question<String> slow =
                    shard -> Jdbc.one(shard, "SELECT pg_sleep(600)::text", row -> row.getString(1));
            BothShards.Question<String> failing = shard -> Jdbc.one(shard, "SELECT 1 / 0", row -> row.getString(1));
            long since = System.nanoTime();

            assertThatThrownBy(() -> new BothShards(source, target).ask(slow, failing))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("division by zero");

            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(60));
            assertThat(source.isClosed()).isTrue();
        }
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            BothShards.Question<String> slow =
                    shard -> Jdbc.one(shard, "SELECT pg_sleep(600)::text", row -> row.getString(1));
            assertThatThrownBy(() -> new BothShards(source, target)
                            .ask(shard -> Jdbc.one(shard, "SELECT 1 / 0", row -> row.getString(1)), slow))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("division by zero");
        }
    }

    /** Unlogged tables are empty after a crash of their server; the marker, which is logged, still vouches for them. */
    @Test
    void d41_crashOfTheTargetAfterTheComparisonStopsTheFlip() throws SQLException {
        try (MoveLab own = MoveLab.stoppable(Shop.TABLES, Shop.DDL + """
                CREATE UNLOGGED TABLE app.sess (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
                """)) {
            own.tenant(tenant, s1);
            Shop.fill(own, s1, tenant, 3);
            own.run(s1, "INSERT INTO app.sess SELECT ?, g FROM generate_series(1, 5) g", tenant.value());
            MoveEngine engine = own.engine();
            MovePlan plan = accepted(engine.plan(tenant, s2));

            assertThatThrownBy(() -> engine.execute(plan, PhaseListener.at(MovePhase.VERIFIED, move -> {
                        own.cluster.shardServer(1).stop();
                        own.cluster.shardServer(1).start();
                    })))
                    .isInstanceOf(MoveException.class);

            assertThat(own.count(s2, "SELECT count(*) FROM app.sess")).isZero();
            own.expire(plan.move());
            engine.recover();
            assertThat(own.owners(tenant)).containsExactly(s1);
            MoveReport again = engine.execute(accepted(engine.plan(tenant, s2)), MoveListener.NONE);
            assertThat(again.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
            assertThat(own.count(s2, "SELECT count(*) FROM app.sess WHERE tenant_id = ?", tenant.value()))
                    .isEqualTo(5);
        }
    }

    private static MovePlan accepted(MovePlan plan) {
        return plan.accepting(plan.obstacles().stream()
                .map(finding -> finding.name())
                .distinct()
                .toArray(String[]::new));
    }

    private static void behindTheGuard(String sql) {
        try (Connection script = lab.connect(s2)) {
            MoveLab.execute(script, "ALTER TABLE app.m_orders DISABLE TRIGGER ALL");
            MoveLab.execute(script, sql);
            lab.guard.install(script, Shop.TABLES, Duration.ofSeconds(5));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
