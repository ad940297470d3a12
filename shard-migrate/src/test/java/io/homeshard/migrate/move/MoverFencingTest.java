package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.PlacementState;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Movers that meet each other, come too late, or are told to stop. */
class MoverFencingTest extends MovingShop {
    private static final Duration TRY = Duration.ofMillis(100);

    MoverFencingTest() {
        super(5);
    }

    @Test
    void ofTwoMoversOneWinsAndTheOtherIsTold() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<Throwable>> movers = List.of(contender(start), contender(start));
        List<Throwable> failures = movers.stream()
                .map(CompletableFuture::join)
                .filter(t -> t.getMessage() != null)
                .toList();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(MoveException.class)
                        .hasMessageMatching(
                                ".*was not begun: (the tenant has an unfinished move|the tenant is on shard s2).*"));
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(lab.journal.ofTenant(tenant)).hasSize(1);
    }

    /** Nothing thrown counts as an exception without message. */
    private CompletableFuture<Throwable> contender(CyclicBarrier start) {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        return CompletableFuture.supplyAsync(() -> {
            Throwable failure = catchThrowable(() -> {
                start.await();
                engine.execute(plan, MoveListener.NONE);
            });
            return failure == null ? new Throwable() : failure;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"PLANNED", "RESERVED", "FREEZING", "FROZEN", "COPYING", "VERIFIED"})
    void cancelledInEachPhaseBeforeTheFlip(MovePhase phase) {
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(
                        plan, PhaseListener.at(phase, move -> lab.engine().cancel(move.id(), "not today"))))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was aborted and undone");

        MoveRecord aborted = lab.journal.find(plan.move()).orElseThrow();
        assertThat(aborted.phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(aborted.reason()).isEqualTo("not today");
        assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(lab.state(s2, tenant)).isNull();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
        assertThat(lab.move(tenant, s2).outcome()).as("the next move").isEqualTo(MoveReport.Outcome.MOVED);
    }

    @Test
    void cannotBeCancelledAfterTheFlip() {
        MoveEngine engine = lab.engine();
        CompletableFuture<Throwable> cancelled = new CompletableFuture<>();

        MoveReport report = engine.execute(
                engine.plan(tenant, s2),
                PhaseListener.at(
                        MovePhase.FLIPPED,
                        move -> cancelled.complete(catchThrowable(() -> engine.cancel(move.id(), "too late")))));

        assertThat(cancelled.join()).isInstanceOf(MoveException.class).hasMessageContaining("flipped");
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    /** The freeze is under way on the server when its client dies; the move is aborted; then the freeze gets its lock. */
    @Test
    void freezeThatLandsAfterItsMoveWasAbortedIsRefused() throws Exception {
        MoverToken token = begun(MovePhase.FREEZING);
        try (Connection writer = lab.connect(s1)) {
            writer.setAutoCommit(false);
            MoveLab.execute(writer, "INSERT INTO app.events (tenant_id) VALUES ('" + tenant + "')");
            Connection late = lab.parts(MoveLab.CONFIG)
                    .pools()
                    .open(lab.directory.shard(s1).orElseThrow(), WriteGuard.applicationName(token));
            CompletableFuture<Throwable> freeze = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> lab.guard.freeze(late, token, 1, Duration.ofSeconds(30))));
            MoveLab.await(() -> waiting(token) == 1);
            late.abort(Runnable::run);
            assertThat(freeze.join()).isNotNull();
            assertThat(waiting(token)).as("still waiting on the server").isEqualTo(1);
            lab.expire(token.move());

            assertThat(lab.engine().recover())
                    .extracting(MoveReport::outcome)
                    .containsExactly(MoveReport.Outcome.ABORTED);

            writer.commit();
        }
        MoveLab.await(() -> sessions(token) == 0);
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.OWNED);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }

    @Test
    void recovererWithHigherEpochThawsAndTheOldMoverCanDoNothing() throws Exception {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.FREEZE));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        MoveRecord crashed = lab.journal.find(plan.move()).orElseThrow();
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.FROZEN);
        lab.expire(plan.move());

        lab.engine().recover();

        assertThat(lab.ownership(s1, tenant)).hasValueSatisfying(row -> {
            assertThat(row.state()).isEqualTo(OwnershipState.OWNED);
            assertThat(row.epoch()).isGreaterThan(crashed.epoch());
        });
        MoverToken old = new MoverToken(tenant, plan.move(), crashed.epoch(), crashed.attempt());
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            for (Throwable refusal : List.of(
                    catchThrowable(() -> lab.guard.freeze(source, old, 1, TRY)),
                    catchThrowable(() -> lab.guard.reserve(target, old, 2)),
                    catchThrowable(() -> lab.guard.markVerified(target, old, 2)),
                    catchThrowable(() -> lab.guard.activate(target, old, 2)),
                    catchThrowable(() -> lab.guard.markMoved(source, old, 1, s2)))) {
                assertThat(refusal).isInstanceOf(SQLException.class);
                assertThat(((SQLException) refusal).getSQLState()).isEqualTo(SqlStates.OTHER_MOVER);
            }
        }
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }

    @Test
    void ofTwoRecoverersOneSettlesTheMove() throws Exception {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.FLIP));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());
        CyclicBarrier start = new CyclicBarrier(2);

        List<CompletableFuture<List<MoveReport>>> recoverers = List.of(recoverer(start), recoverer(start));
        List<MoveReport> reports =
                recoverers.stream().flatMap(r -> r.join().stream()).toList();

        assertThat(reports).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    private static CompletableFuture<List<MoveReport>> recoverer(CyclicBarrier start) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                start.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return lab.engine().recover();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"RESERVED", "FREEZING", "FROZEN", "COPYING", "VERIFIED"})
    void pausedMoverIsRefusedAtItsNextEffect(MovePhase phase) {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);

        Throwable failure = catchThrowable(() ->
                engine.execute(plan, PhaseListener.at(phase, move -> settledByAnother(move.id()))));

        assertThat(failure).isInstanceOf(MoveException.class).hasMessageContaining("not this mover's any more");
        assertThat(lab.journal.find(plan.move()).orElseThrow().phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.state(s2, tenant)).isNull();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }

    @Test
    void pausedMoverAfterTheFlipFindsTheMoveFinished() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);

        Throwable failure = catchThrowable(() ->
                engine.execute(plan, PhaseListener.at(MovePhase.FLIPPED, move -> settledByAnother(move.id()))));

        assertThat(failure).isInstanceOf(MoveException.class);
        assertThat(lab.journal.find(plan.move()).orElseThrow().phase()).isEqualTo(MovePhase.RETAINED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    /** The mover's own thread renews its lease, so the pause is made by expiring it until the other one has it. */
    private void settledByAnother(UUID move) {
        MoveLab.await(() -> {
            lab.expire(move);
            return !lab.engine().recover().isEmpty();
        });
    }

    @Test
    void eachStepRepeatedSaysAlreadyDone() throws Exception {
        UUID move = UUID.randomUUID();
        twice(() -> lab.journal.plan(move, tenant, s2, "test", MoveLab.LEASE));
        MoveRecord planned = lab.journal.find(move).orElseThrow();
        MoveTicket ticket = new MoveTicket(move, planned.epoch(), planned.attempt());
        MoverToken token = new MoverToken(tenant, move, planned.epoch(), planned.attempt());
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            twice(advance(ticket, MovePhase.PLANNED, MovePhase.RESERVED));
            twice(() -> lab.guard.reserve(target, token, 2));
            twice(advance(ticket, MovePhase.RESERVED, MovePhase.FREEZING));
            twice(() -> lab.guard.freeze(source, token, 1, TRY));
            twice(advance(ticket, MovePhase.FREEZING, MovePhase.FROZEN));
            twice(advance(ticket, MovePhase.FROZEN, MovePhase.COPYING));
            assertThat(lab.journal.flip(ticket).toString()).contains("refused", "COPYING"); // E14
            twice(() -> lab.guard.markVerified(target, token, 2));
            twice(advance(ticket, MovePhase.COPYING, MovePhase.VERIFIED));
            assertThat(lab.guard.takeOver(source, token).toString()).isEqualTo("already done");
            twice(() -> lab.journal.flip(ticket));
            twice(() -> lab.guard.markMoved(source, token, 1, s2));
            twice(() -> lab.guard.activate(target, token, 2));
            twice(advance(ticket, MovePhase.FLIPPED, MovePhase.ACTIVATED));
            twice(advance(ticket, MovePhase.ACTIVATED, MovePhase.RETAINED));
        }
        TenantId other = TenantId.of("other " + UUID.randomUUID());
        lab.tenant(other, s1);
        eachStepBackRepeatedSaysAlreadyDone(other);
    }

    private void eachStepBackRepeatedSaysAlreadyDone(TenantId other) throws Exception {
        UUID move = UUID.randomUUID();
        lab.journal.plan(move, other, s2, "test", MoveLab.LEASE);
        MoveRecord planned = lab.journal.find(move).orElseThrow();
        MoveTicket ticket = new MoveTicket(move, planned.epoch(), 1);
        MoverToken token = new MoverToken(other, move, planned.epoch(), 1);
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            lab.guard.reserve(target, token, 2);
            lab.guard.freeze(source, token, 1, TRY);
            twice(() -> lab.journal.abort(ticket, "test"));
            twice(() -> lab.guard.unfreeze(source, token, 1));
            twice(() -> lab.guard.release(target, token, 2));
            twice(advance(ticket, MovePhase.ABORTING, MovePhase.ABORTED));
        }
    }

    /** A step. */
    @FunctionalInterface
    private interface Call {
        Object run() throws SQLException;
    }

    private static void twice(Call step) throws SQLException {
        assertThat(step.run()).hasToString("done");
        assertThat(step.run()).hasToString("already done");
    }

    private static Call advance(MoveTicket ticket, MovePhase from, MovePhase to) {
        return () -> lab.journal.advance(ticket, from, to, "{}", MoveLab.LEASE);
    }

    /** Journals a move up to a phase, without any effect on a shard. */
    private MoverToken begun(MovePhase until) {
        UUID move = UUID.randomUUID();
        lab.journal.plan(move, tenant, s2, "test", MoveLab.LEASE);
        MoveRecord planned = lab.journal.find(move).orElseThrow();
        MoveTicket ticket = new MoveTicket(move, planned.epoch(), planned.attempt());
        for (int i = 0; MovePhase.values()[i] != until; i++) {
            assertThat(lab.journal
                            .advance(ticket, MovePhase.values()[i], MovePhase.values()[i + 1], "{}", MoveLab.LEASE)
                            .ok())
                    .isTrue();
        }
        return new MoverToken(tenant, move, planned.epoch(), planned.attempt());
    }

    private long waiting(MoverToken token) {
        return lab.count(
                s1,
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event_type = 'Lock'",
                WriteGuard.applicationName(token));
    }

    private long sessions(MoverToken token) {
        return lab.count(
                s1,
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = ?",
                WriteGuard.applicationName(token));
    }
}
