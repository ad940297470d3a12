package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A move believes nothing that it has not read: damage in between stops it before the flip, or before cleaning. */
class MoveEvidenceTest {
    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;
    private static ShardId s3;
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(3, Shop.TABLES, Shop.DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        s3 = lab.shard(3);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @BeforeEach
    void create() throws SQLException {
        lab.tenant(tenant, s1);
        Shop.fill(lab, s1, tenant, 8);
    }

    @Test
    void rowThatChangedOnTheTargetAfterTheCopyFailsVerification() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.after(Step.COPY_ROWS))) {
                behindTheGuard(
                        s2,
                        "UPDATE app.m_orders SET blob = '\\x00' WHERE tenant_id = '" + tenant
                                + "' AND id = (SELECT min(id) FROM app.m_orders WHERE tenant_id = '" + tenant + "')");
            }
        });
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("verification failed")
                .hasMessageContaining("m_orders");

        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }

    /** A pooler between mover and target, or a target that failed over: the marker would vouch for rows not seen. */
    @Test
    void targetOnAnotherSessionThanTheComparedOneIsNotMarked() throws SQLException {
        try (Connection other = lab.connect(s2)) {
            AtomicReference<Connection> target = new AtomicReference<>();
            MoveParts p = lab.parts(MoveLab.CONFIG);
            MoveEngine engine = new MoveEngine(
                    new MoveParts(
                            p.directory(),
                            p.journal(),
                            p.guard(),
                            new SwitchedPools((PlainPools) p.pools(), s2, target),
                            p.tables(),
                            p.clocks(),
                            p.config()),
                    point -> {
                        if (point.equals(CrashPoint.after(Step.COMPARE))) {
                            target.set(other);
                        }
                    });
            MovePlan plan = engine.plan(tenant, s2);

            assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("was compared on another session");

            assertThat(lab.owners(tenant)).containsExactly(s1);
            target.set(null);
        }
        assertThat(lab.journal.ofTenant(tenant).get(0).phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    @Test
    void schemaChangedOnTheTargetMeanwhileStopsTheFlip() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        try {
            assertThatThrownBy(() -> engine.execute(
                            plan,
                            PhaseListener.at(
                                    MovePhase.VERIFIED,
                                    move -> lab.run(s2, "ALTER TABLE app.a_lines ADD COLUMN extra int DEFAULT 1"))))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("tables have changed");
        } finally {
            lab.run(s2, "ALTER TABLE app.a_lines DROP COLUMN extra");
        }
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    void tablesOfTheSourceCannotBeChangedBetweenFreezeAndFlip() {
        MoveEngine engine = lab.engine();
        List<Throwable> refusals = new ArrayList<>();

        MoveReport report = engine.execute(engine.plan(tenant, s2), PhaseListener.at(MovePhase.COPYING, move -> {
            for (String ddl : List.of("DISABLE TRIGGER ALL", "ADD COLUMN extra int")) {
                refusals.add(catchThrowable(() -> {
                    try (Connection script = lab.connect(s1)) {
                        MoveLab.execute(script, "SET lock_timeout = '100ms'");
                        MoveLab.execute(script, "ALTER TABLE app.m_orders " + ddl);
                    }
                }));
            }
        }));

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal).hasMessageContaining("lock timeout"));
    }

    @Test
    void leaseAndTableLocksOutliveASlowListener() {
        MoveEngine engine = lab.engine(MoveLab.SHORT_LEASE);
        Set<String> seen = new HashSet<>();
        Set<String> locks = new HashSet<>();

        MoveReport report = engine.execute(
                engine.plan(tenant, s2),
                PhaseListener.at(
                        MovePhase.COPYING,
                        move -> MoveLab.await(() -> {
                            seen.add(lease(move.id()));
                            locks.add(lab.query(
                                            s1,
                                            "SELECT count(*) FROM pg_locks WHERE relation = 'app.m_orders'::regclass"
                                                    + " AND mode = 'RowExclusiveLock' AND granted")
                                    .get(0));
                            return seen.size() > 7; // renewed for longer than the lease
                        })));

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(locks).doesNotContain("0");
    }

    private static String lease(UUID move) {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            return Jdbc.one(
                    directory, "SELECT lease_until FROM homeshard.move WHERE id = ?", row -> row.getString(1), move);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oldRowsThatAreNotThoseThatWereCopiedAreNotCleaned() {
        MoveReport report = lab.move(tenant, s2);
        behindTheGuard(s1, "UPDATE app.m_orders SET note = 'late' WHERE tenant_id = '" + tenant + "'");

        assertThatThrownBy(() -> lab.engine().clean(report.move(), true))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("not those that were copied")
                .hasMessageContaining("m_orders");
        assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty();
        assertThat(lab.journal.find(report.move()).orElseThrow().phase()).isEqualTo(MovePhase.RETAINED);
    }

    @Test
    void oldRowsStayWhileTheTargetDoesNotOwnTheTenant() {
        MoveReport report = lab.move(tenant, s2);
        lab.run(s2, "UPDATE homeshard.ownership SET state = 'incoming' WHERE tenant_id = ?", tenant.value());

        assertThatThrownBy(() -> lab.engine().clean(report.move(), true))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("does not own the tenant");

        lab.run(s2, "UPDATE homeshard.ownership SET state = 'owned' WHERE tenant_id = ?", tenant.value());
        assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty();
        assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
    }

    @Test
    void movesOnAndBothOldCopiesAreCleaned() {
        MoveReport first = lab.move(tenant, s2);
        MoveReport second = lab.move(tenant, s3);
        List<String> rows = Shop.rowsOf(lab, s3, tenant);

        assertThat(lab.engine().clean(first.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(lab.engine().clean(second.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);

        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(Shop.rowsOf(lab, s3, tenant)).isEqualTo(rows).isNotEmpty();
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.MOVED);
        assertThat(lab.move(tenant, s1).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
    }

    /** A move back that was undone has deleted the old rows and returned them to the first move. */
    @Test
    void oldRowsOfAMoveAreCleanedAfterAMoveBackWasUndone() {
        MoveReport there = lab.move(tenant, s2);
        MoveEngine engine = lab.engine();
        MovePlan back = engine.plan(tenant, s1);
        assertThatThrownBy(() -> engine.execute(
                        back,
                        PhaseListener.at(
                                MovePhase.VERIFIED, move -> lab.engine().cancel(move.id(), "test"))))
                .isInstanceOf(MoveException.class);
        assertThat(lab.ownership(s1, tenant)).hasValueSatisfying(row -> {
            assertThat(row.state()).isEqualTo(OwnershipState.MOVED);
            assertThat(row.move()).isEqualTo(there.move());
        });
        assertThat(lab.journal.evidence(back.move()).orElseThrow()).contains("ABORTED");

        assertThat(engine.clean(there.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(Shop.order(lab, s2, tenant)).isPositive();
    }

    /** What only a superuser in a hurry does. */
    private static void behindTheGuard(ShardId shard, String sql) {
        try (Connection script = lab.connect(shard)) {
            MoveLab.execute(script, "ALTER TABLE app.m_orders DISABLE TRIGGER ALL");
            MoveLab.execute(script, sql);
            lab.guard.install(script, Shop.TABLES, Duration.ofSeconds(5));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
