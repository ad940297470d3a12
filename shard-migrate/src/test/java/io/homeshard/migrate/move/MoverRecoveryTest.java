package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Databases that cannot be reached, and a directory that forgets. */
class MoverRecoveryTest extends MovingShop {
    private static final MoveConfig IMPATIENT = MoveLab.CONFIG
            .freeze(MoveLab.CONFIG.freeze().patience(Duration.ofSeconds(5)))
            .steps(MoveLab.CONFIG.steps().reachPatience(Duration.ofMillis(500)));

    MoverRecoveryTest() {
        super(12);
    }

    /** [E12] [D53] The target dies after the copy and cannot be emptied; the tenant works on the source meanwhile. */
    @Test
    void targetThatDiesAfterTheCopyIsEmptiedLaterAndCopiedExactly() {
        AtomicBoolean down = new AtomicBoolean();
        MoveEngine engine =
                new MoveEngine(withPools(new FailingPools(lab.parts(IMPATIENT).pools(), s2, down)), point -> {
                    if (point.equals(CrashPoint.after(Step.COPY_ROWS))) {
                        down.set(true);
                        lab.count(
                                s2,
                                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                        + " WHERE datname = current_database() AND application_name LIKE 'hs-move %'");
                    }
                });
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("not settled")
                .hasMessageContaining("ABORTING");

        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.state(s2, tenant)).isEqualTo(OwnershipState.INCOMING);
        assertThat(Shop.rowsOf(lab, s2, tenant)).as("leftovers").isNotEmpty();
        assertThatThrownBy(() -> lab.run(s2, "INSERT INTO app.events (tenant_id) VALUES (?)", tenant.value()))
                .hasStackTraceContaining("homeshard:");
        change();
        assertThat(lab.engine().plan(tenant, s2).obstacles())
                .extracting(Finding::name)
                .contains("tenant-not-active");
        lab.expire(plan.move());
        assertThat(engine.recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.UNSETTLED);
        lab.expire(plan.move());

        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);

        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(lab.state(s2, tenant)).isNull();
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        assertThat(lab.move(tenant, s2).rows()).isEqualTo(rows.size());
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
    }

    private void change() {
        lab.run(s1, "DELETE FROM app.a_lines WHERE tenant_id = ? AND line = 1", tenant.value());
        lab.run(s1, "UPDATE app.m_orders SET note = 'changed' WHERE tenant_id = ? AND price < 5", tenant.value());
        Shop.order(lab, s1, tenant);
    }

    /** [D53] A later attempt of the same move starts from an empty tenant on the target. */
    @Test
    void nextAttemptOfTheSameMoveStartsFromNothing() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.COPY_ROWS));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isNotEmpty();
        lab.expire(plan.move());

        MoveReport report = lab.engine().resume(plan.move(), MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(Shop.rowsOf(lab, s2, tenant))
                .isEqualTo(Shop.rowsOf(lab, s1, tenant))
                .isNotEmpty();
    }

    @Test
    void resumeWaitsForTheLease() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.RESERVE));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);

        assertThatThrownBy(() -> lab.engine().resume(plan.move(), MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("until its lease is over");
        assertThat(lab.engine().recover()).isEmpty();
        lab.expire(plan.move());
        assertThat(lab.engine().recover()).hasSize(1);
        assertThat(lab.engine().recover()).as("again").isEmpty();
    }

    /** The directory falls back to before the flip; the source proves that it had happened. */
    @Test
    void directoryThatForgotTheFlipIsTaughtAgain() throws SQLException {
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.MARK_MOVED));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(
                    directory,
                    "UPDATE homeshard.placement SET shard_id = 's1', generation = 1, state = 'frozen' WHERE tenant_id = ?",
                    tenant.value());
            Jdbc.run(directory, "UPDATE homeshard.move SET phase = 'VERIFIED' WHERE id = ?", plan.move());
        }
        lab.expire(plan.move());

        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.MOVED);

        assertThat(lab.placement(tenant)).satisfies(p -> {
            assertThat(p.shard()).isEqualTo(s2);
            assertThat(p.generation()).isEqualTo(2);
        });
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
        assertThat(Shop.order(lab, s2, tenant)).isPositive();
    }

    @Test
    void lostAnswerToTheFlipIsAskedForAgain() {
        AtomicInteger lost = new AtomicInteger(1);
        MoveEngine engine = MoveEngine.of(withJournal(MoveLab.CONFIG, losing("flip", lost)));

        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);

        assertThat(lost).hasValue(0);
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    @Test
    void nothingIsThawedWhileItIsNotKnownWhetherTheFlipHappened() {
        MoveEngine engine = MoveEngine.of(withJournal(IMPATIENT, losing("flip", new AtomicInteger(Integer.MAX_VALUE))));
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("not settled");

        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.FROZEN);
        assertThat(lab.state(s2, tenant)).isEqualTo(OwnershipState.INCOMING);
        lab.expire(plan.move());
        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    @Test
    void directoryThatIsAwayBetweenPhasesIsWaitedFor() {
        AtomicInteger lost = new AtomicInteger(4);
        MoveEngine engine = MoveEngine.of(withJournal(MoveLab.CONFIG, losing("advance", lost)));

        assertThat(engine.execute(engine.plan(tenant, s2), MoveListener.NONE).outcome())
                .isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lost).hasValue(0);
    }

    /** A real pause: the process is stopped until its lease is over, and wakes up after another has settled its move. */
    @Test
    void stoppedProcessIsRefusedWhenItWakesUp() throws Exception {
        try (BusyTenant busy = new BusyTenant(lab, tenant);
                MoverProcess.Paused mover = MoverProcess.pausedAt(lab, "COPYING", tenant, s2.value())) {
            MoveRecord paused = lab.journal.ofTenant(tenant).get(0);
            assertThat(paused.phase()).isEqualTo(MovePhase.COPYING);
            lab.awaitLeaseOver(paused.id());

            assertThat(lab.engine().recover())
                    .extracting(MoveReport::outcome)
                    .containsExactly(MoveReport.Outcome.ABORTED);
            busy.awaitMore();

            assertThat(mover.wakeUp()).contains("MoveException").contains("not this mover's any more");
            busy.awaitMore();
            busy.verify();
            assertThat(lab.owners(tenant)).containsExactly(s1);
            assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        }
    }

    private MoveParts withPools(ShardPools pools) {
        MoveParts p = lab.parts(IMPATIENT);
        return new MoveParts(p.directory(), p.journal(), p.guard(), pools, p.tables(), p.clocks(), p.config());
    }

    private MoveParts withJournal(MoveConfig config, MoveJournal journal) {
        MoveParts p = lab.parts(config);
        return new MoveParts(p.directory(), journal, p.guard(), p.pools(), p.tables(), p.clocks(), p.config());
    }

    /** The real journal, whose answer to one method gets lost a number of times, after it was done. */
    private MoveJournal losing(String method, AtomicInteger times) {
        return (MoveJournal) Proxy.newProxyInstance(
                MoveJournal.class.getClassLoader(), new Class<?>[] {MoveJournal.class}, (proxy, called, arguments) -> {
                    try {
                        Object answer = called.invoke(lab.journal, arguments);
                        if (called.getName().equals(method) && times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                            throw new DirectoryUnavailableException("directory - answer lost by a test", null);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Pools that cannot reach one shard while it is down. */
    private record FailingPools(ShardPools pools, ShardId shard, AtomicBoolean down) implements ShardPools {
        @Override
        public Connection borrow(Shard wanted) throws SQLException {
            return open(wanted, "test");
        }

        @Override
        public Connection open(Shard wanted, String applicationName) throws SQLException {
            if (down.get() && wanted.id().equals(shard)) {
                throw new SQLTransientConnectionException("shard " + shard + " - is down in this test", "08001");
            }
            return pools.open(wanted, applicationName);
        }

        @Override
        public Connection openUnchecked(Shard wanted, String applicationName) throws SQLException {
            return open(wanted, applicationName);
        }

        @Override
        public Optional<PoolStats> stats(ShardId of) {
            return pools.stats(of);
        }

        @Override
        public void renew(ShardId of) {
            pools.renew(of);
        }

        @Override
        public void close() {}
    }

    @Test
    void tenantsThatNobodyOwnsAreSettledFirst() throws SQLException {
        TenantId second = TenantId.of("second " + tenant);
        lab.tenant(second, s1);
        Shop.fill(lab, s1, second, 2);
        UUID copied = crashed(tenant, Step.COPY_ROWS);
        UUID flipped = crashed(second, Step.FLIP);
        assertThat(lab.engine().recover()).extracting(MoveReport::move).containsExactly(flipped, copied);
    }

    private static UUID crashed(TenantId who, Step after) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(after));
        MovePlan plan = engine.plan(who, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());
        return plan.move();
    }
}
