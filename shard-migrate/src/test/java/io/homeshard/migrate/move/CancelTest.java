package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A move can be called off at any time before the flip, by whomever, and not after it. */
class CancelTest extends MovingShop {
    private List<String> rows = List.of();

    CancelTest() {
        super(5);
    }

    @BeforeEach
    void remember() {
        rows = Shop.rowsOf(lab, s1, tenant);
    }

    @AfterEach
    void nothingIsUnfinished() {
        assertThat(lab.journal.ofTenant(tenant)).allMatch(move -> move.phase().finished());
    }

    @ParameterizedTest
    @EnumSource(
            value = MovePhase.class,
            names = {"PLANNED", "RESERVED", "FREEZING", "FROZEN", "COPYING", "VERIFIED"})
    void isUndoneInEveryPhaseBeforeTheFlip(MovePhase phase) {
        MoveEngine engine = lab.engine();
        MovePlan mine = engine.plan(tenant, s2);
        assertUndone(engine, mine, PhaseListener.at(phase, move -> engine.cancel(move.id(), "test")));
        MovePlan others = engine.plan(tenant, s2);
        assertUndone(
                engine, others, PhaseListener.at(phase, move -> lab.engine().cancel(move.id(), "test")));
    }

    @Test
    void isUndoneWhenAnotherProcessSaysSo() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        MoveListener listener =
                PhaseListener.at(MovePhase.COPYING, move -> MoverProcess.cancels(lab, tenant, move.id()));
        assertThatThrownBy(() -> engine.execute(plan, listener)).hasMessageContaining("was aborted and undone");
        assertThat(lab.journal.find(plan.move()).orElseThrow().reason()).isEqualTo("another process");
    }

    /** A transaction that has written for the tenant keeps the freeze waiting; the cancellation does not. */
    @ParameterizedTest
    @EnumSource(Canceller.class)
    void endsAFreezeThatWaitsForALongTransaction(Canceller canceller) throws Exception {
        // the engine that is called hears of it without asking the directory
        MoveEngine engine = canceller == Canceller.SAME
                ? lab.engine(MoveLab.CONFIG.lease(new LeaseTimes(Duration.ofMinutes(20), Duration.ofMinutes(9))))
                : lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        try (Connection writer = lab.connect(s1)) {
            writer.setAutoCommit(false);
            Jdbc.run(writer, "INSERT INTO app.m_orders (tenant_id, note) VALUES (?, 'long')", tenant.value());
            CountDownLatch waits = new CountDownLatch(1);
            CompletableFuture<MoveReport> move = CompletableFuture.supplyAsync(
                    () -> engine.execute(plan, PhaseListener.at(MovePhase.FREEZING, record -> waits.countDown())));
            assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
            canceller.of(engine).cancel(plan.move(), "test");
            assertThatThrownBy(() -> move.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("was aborted and undone");
            assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
            writer.commit();
        }
        assertThat(lab.count(
                        s1, "SELECT count(*) FROM app.m_orders WHERE tenant_id = ? AND note = 'long'", tenant.value()))
                .isEqualTo(1);
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @ParameterizedTest
    @EnumSource(Canceller.class)
    void endsACopyThatIsPaused(Canceller canceller) throws Exception {
        assertEndsACopyThatStandsStill(canceller, MoveLab.CONFIG.copy(), true);
    }

    @ParameterizedTest
    @EnumSource(Canceller.class)
    void endsACopyThatIsThrottled(Canceller canceller) throws Exception {
        assertEndsACopyThatStandsStill(canceller, MoveLab.CONFIG.copy().bytesPerSecond(1), false);
    }

    /** The copy asks whether it is paused when rows have passed: from then on it stands still, or as good as. */
    private void assertEndsACopyThatStandsStill(Canceller canceller, CopyLimits limits, boolean paused)
            throws Exception {
        CountDownLatch copies = new CountDownLatch(1);
        MoveEngine engine = lab.engine(MoveLab.CONFIG.copy(limits.pausedWhile(() -> {
            copies.countDown();
            return paused;
        })));
        MovePlan plan = engine.plan(tenant, s2);
        CompletableFuture<MoveReport> move =
                CompletableFuture.supplyAsync(() -> engine.execute(plan, MoveListener.NONE));
        assertThat(copies.await(20, TimeUnit.SECONDS)).isTrue();
        canceller.of(engine).cancel(plan.move(), "test");
        assertThatThrownBy(() -> move.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("was aborted and undone");
        assertAsBefore(plan);
    }

    /** Longer than a statement, an idle transaction and the lease may take: the move is none the worse for it. */
    @Test
    void doesNotComeFromAPause() {
        MoveConfig config = MoveLab.CONFIG.lease(new LeaseTimes(Duration.ofSeconds(2), Duration.ofMillis(300)));
        StepTimes steps = new StepTimes(
                config.steps().reachPatience(),
                config.steps().lock(),
                config.steps().answer(),
                Duration.ofMillis(2_500));
        AtomicLong until = new AtomicLong();
        MoveEngine engine = lab.engine(config.steps(steps).copy(config.copy().pausedWhile(() -> {
            until.compareAndSet(0, System.nanoTime() + Duration.ofSeconds(3).toNanos());
            return System.nanoTime() - until.get() < 0;
        })));

        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.freezeMillis()).isGreaterThan(3_000);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
    }

    @Test
    void isRefusedFromTheFlipOnAndTheAnswerSaysWhatToDo() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        String no = "move " + plan.move() + " - cannot be cancelled: the move has flipped (phase=%s); the tenant ";
        String over = "went to shard s2, an ordinary move brings it back";
        String underWay = "goes to shard s2, when the move is finished an ordinary one brings it back";
        MoveReport report = engine.execute(plan, new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                if (!move.phase().beforeFlip()) {
                    assertThatThrownBy(() -> engine.cancel(plan.move(), "late"))
                            .isInstanceOf(MoveException.class)
                            .hasMessage(no + (move.phase() == MovePhase.RETAINED ? over : underWay), move.phase());
                }
            }
        });
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThatThrownBy(() -> lab.engine().cancel(plan.move(), "late")).hasMessage(no + over, MovePhase.RETAINED);
        assertThatThrownBy(() -> engine.cancel(UUID.randomUUID(), "?")).hasMessageEndingWith("unknown move");
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    /** What a listener throws is its own affair, in whatever method. */
    @Test
    void doesNotComeFromAListenerThatThrows() {
        MoveEngine engine = lab.engine();
        MoveReport report = engine.execute(engine.plan(tenant, s2), new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                throw new IllegalStateException("phase");
            }

            @Override
            public void progress(MoveProgress progress) {
                throw new IllegalStateException("progress");
            }
        });
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    private void assertUndone(MoveEngine engine, MovePlan plan, MoveListener listener) {
        assertThatThrownBy(() -> engine.execute(plan, listener))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was aborted and undone, shard s1 serves the tenant as before");
        assertAsBefore(plan);
    }

    private void assertAsBefore(MovePlan plan) {
        MoveRecord record = lab.journal.find(plan.move()).orElseThrow();
        assertThat(record.phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(record.reason()).isEqualTo("test");
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.state(s2, tenant)).isNotEqualTo(OwnershipState.INCOMING);
        assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    /** Who calls it off: the engine that moves, or another. */
    enum Canceller {
        SAME,
        OTHER;

        MoveEngine of(MoveEngine moving) {
            return this == SAME ? moving : lab.engine();
        }
    }

    /** As by {@code shutdownNow()}: who is interrupted still gives the tenant back, and stays interrupted. */
    @ParameterizedTest
    @EnumSource(
            value = MovePhase.class,
            names = {"RESERVED", "FROZEN", "COPYING", "VERIFIED"})
    void interruptedMoverGivesTheTenantBack(MovePhase phase) {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        Throwable thrown = catchThrowable(() -> engine.execute(
                plan, PhaseListener.at(phase, move -> Thread.currentThread().interrupt())));

        boolean interrupted = Thread.interrupted();
        ShardId home = lab.placement(tenant).shard();
        assertThat(lab.owners(tenant)).containsExactly(home);
        if (thrown != null) { // it came by something that hears of it
            assertThat(thrown).hasMessageContaining("was aborted and undone");
            assertThat(home).isEqualTo(s1);
        }
        assertThat(interrupted).isTrue();
    }
}
