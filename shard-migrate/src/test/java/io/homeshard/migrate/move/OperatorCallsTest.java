package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.tenants.Difference;
import io.homeshard.tenants.DifferenceKind;
import io.homeshard.tenants.ReconcileReport;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a person may order, and every way in which it could meet a mover that is still at work. */
class OperatorCallsTest extends MovingShop {
    private static final String WHY = "ordered by the test";
    private final Set<ShardId> cutOff = ConcurrentHashMap.newKeySet();

    OperatorCallsTest() {
        super(5);
    }

    @Test
    void theTargetIsActivatedWithoutItsSource() {
        UUID move = crashed(Step.FLIP);
        cutOff.add(s1);

        MoveReport report = operator().activateWithoutSource(move, WHY);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
        long acknowledged = Shop.order(lab, s2, tenant);
        assertThat(lab.journal.steps(move))
                .anyMatch(step -> step.phase() == MovePhase.FLIPPED
                        && step.detail().contains("withoutSource")
                        && step.detail().contains(WHY));
        assertThat(operator().activateWithoutSource(move, WHY).outcome()).isEqualTo(MoveReport.Outcome.MOVED);

        cutOff.clear(); // the source is back: it refuses, and is settled
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.FROZEN);
        assertThatThrownBy(() -> Shop.order(lab, s1, tenant)).hasStackTraceContaining("is frozen");
        assertThat(lab.engine().recover()).isEmpty();
        assertThat(reconcile().differences())
                .extracting(Difference::kind, Difference::outcome)
                .containsExactly(tuple(DifferenceKind.FROZEN_LEFTOVER, Difference.Outcome.MENDED));
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.MOVED);
        assertThatThrownBy(() -> Shop.order(lab, s1, tenant)).hasStackTraceContaining("not owned here");
        assertThat(lab.engine().clean(move, true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(orders(s2, acknowledged)).isOne();
    }

    @Test
    void aSourceThatAnswersIsAsked() {
        UUID move = crashed(Step.FLIP);

        assertThatThrownBy(() -> operator().activateWithoutSource(move, WHY))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("shard s1 answers");

        assertThat(lab.owners(tenant)).isEmpty();
        settled(s2);
    }

    @Test
    void nothingIsActivatedBeforeTheFlip() {
        UUID move = crashed(Step.ENTER_VERIFIED);
        cutOff.add(s1);

        assertThatThrownBy(() -> operator().activateWithoutSource(move, WHY))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("phase=VERIFIED");
        assertThatThrownBy(() -> operator().returnToSource(move, WHY, true))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("has not flipped");

        settled(s1);
    }

    @Test
    void aTargetWithoutTheMarkerIsNotActivated() {
        UUID move = crashed(Step.FLIP);
        lab.run(s2, "UPDATE homeshard.ownership SET verified_attempt = NULL WHERE tenant_id = ?", tenant.value());
        cutOff.add(s1);

        assertThatThrownBy(() -> operator().activateWithoutSource(move, WHY)).hasMessageContaining("not verified");

        assertThat(lab.owners(tenant)).isEmpty();
        cutOff.clear();
        lab.expire(move);
        assertThat(lab.engine().recover()).allMatch(r -> r.outcome() == MoveReport.Outcome.UNSETTLED);
        // the source says moved by now, and the target itself that it does not own: the way back is free
        assertThat(operator().returnToSource(move, WHY, false).outcome()).isEqualTo(MoveReport.Outcome.ABORTED);
        home(s1, 3);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    @Test
    void theTenantGoesBackWhenItsTargetDied() {
        UUID move = crashed(Step.FLIP);
        cutOff.add(s2);

        MoveReport report = operator().returnToSource(move, WHY, false);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.ABORTED);
        home(s1, 3);
        long acknowledged = Shop.order(lab, s1, tenant);
        assertThat(operator().returnToSource(move, WHY, false).outcome()).isEqualTo(MoveReport.Outcome.ABORTED);

        cutOff.clear(); // the target is back, with the copy
        assertThat(lab.state(s2, tenant)).isEqualTo(OwnershipState.INCOMING);
        assertThatThrownBy(() -> Shop.order(lab, s2, tenant)).hasStackTraceContaining("arriving");
        assertThat(reconcile().complete()).isTrue();
        assertThat(lab.state(s2, tenant)).isNull();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        lab.move(tenant, s2);
        assertThat(lab.placement(tenant).generation()).isEqualTo(4);
        assertThat(orders(s2, acknowledged)).isOne();
    }

    @Test
    void aSilentTargetThatMayOwnTheTenantIsNotGivenUp() {
        UUID move = crashed(Step.ACTIVATE);
        long acknowledged = Shop.order(lab, s2, tenant);
        cutOff.add(s2);

        assertThatThrownBy(() -> operator().returnToSource(move, WHY, false))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("may own the tenant");

        assertThat(lab.placement(tenant).shard()).isEqualTo(s2);
        cutOff.clear();
        assertThatThrownBy(() -> operator().returnToSource(move, WHY, true))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("answers and owns");
        assertThat(lab.owners(tenant)).containsExactly(s2);
        lab.expire(move);
        settled(s2);
        assertThat(orders(s2, acknowledged)).isOne();
    }

    /** Destroyed for good, they said. Then it came back. */
    @Test
    void aTargetThatWasGivenUpIsStoppedWhenItComesBack() {
        UUID move = crashed(Step.ACTIVATE);
        cutOff.add(s2);

        assertThat(operator().returnToSource(move, WHY, true).outcome()).isEqualTo(MoveReport.Outcome.ABORTED);

        assertThat(lab.placement(tenant)).extracting(Placement::shard).isEqualTo(s1);
        assertThat(lab.journal.steps(move)).anyMatch(step -> step.detail().contains("\"regardless\": true"));
        cutOff.clear();
        assertThat(reconcile().of(tenant))
                .extracting(Difference::kind, Difference::outcome)
                .containsExactly(tuple(DifferenceKind.OUTDATED_OWNER, Difference.Outcome.MENDED));
        home(s1, 3);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isNotEmpty();
    }

    @Test
    void afterAnOrderToActivateAFrozenSourceProvesNothing() {
        UUID move = crashed(Step.FLIP);
        cutOff.add(s1);
        assertThatThrownBy(() -> operator(SimulatedCrash.at(Step.WAIVE_SOURCE)).activateWithoutSource(move, WHY))
                .isInstanceOf(SimulatedCrash.class);
        cutOff.clear();
        cutOff.add(s2);

        assertThatThrownBy(() -> operator().returnToSource(move, WHY, false))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("activated without the source");

        cutOff.clear();
        cutOff.add(s1);
        assertThat(operator().activateWithoutSource(move, WHY).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        home(s2, 2);
        cutOff.clear();
        reconcile();
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"RETURN", "REOPEN"})
    void aReturnThatWasInterruptedIsFinishedByRecovery(Step step) {
        UUID move = crashed(Step.FLIP);
        assertThatThrownBy(() -> operator(SimulatedCrash.at(step)).returnToSource(move, WHY, false))
                .isInstanceOf(SimulatedCrash.class);
        lab.expire(move);

        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);

        home(s1, 3);
        assertThat(lab.state(s2, tenant)).isNull();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"MARK_MOVED", "ACTIVATE"})
    void aMoverThatIsStillAtWorkCannotActivateAnyMore(Step pausedBefore) throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.before(pausedBefore)) && reached.getCount() > 0) {
                reached.countDown();
                join(goOn);
            }
        });
        MovePlan plan = engine.plan(tenant, s2);
        CompletableFuture<Throwable> mover =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> engine.execute(plan, MoveListener.NONE)));
        join(reached);

        if (pausedBefore == Step.MARK_MOVED) {
            cutOff.add(s2); // the target answers the mover and not the operator
        }
        operator().returnToSource(plan.move(), WHY, false);
        goOn.countDown();

        assertThat(mover.get(60, TimeUnit.SECONDS)).isInstanceOf(MoveException.class);
        home(s1, 3);
        cutOff.clear();
        reconcile();
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    /** A target that is gone for good before the flip: nothing waits for it, neither the tenant nor the directory. */
    @Test
    void aMoveWhoseTargetIsGoneBeforeTheFlipIsEnded() {
        UUID move = crashed(Step.COPY_ROWS);
        cutOff.add(s2);
        assertThatThrownBy(() -> operator().returnToSource(move, WHY, false)).hasMessageContaining("has not flipped");
        lab.expire(move);
        assertThat(operator().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.UNSETTLED);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
        assertThat(lab.journal.find(move).orElseThrow().phase()).isEqualTo(MovePhase.ABORTING);

        assertThat(operator().returnToSource(move, WHY, false).outcome()).isEqualTo(MoveReport.Outcome.ABORTED);

        home(s1, 1);
        assertThat(lab.journal.steps(move))
                .last()
                .satisfies(step -> assertThat(step.detail()).contains("\"targetReleased\": false"));
        cutOff.clear(); // it was not gone after all
        assertThat(reconcile().differences())
                .extracting(Difference::kind, Difference::outcome)
                .containsExactly(tuple(DifferenceKind.INCOMING_LEFTOVER, Difference.Outcome.MENDED));
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        assertThat(lab.move(tenant, s2).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    /** A source that refuses the mover, or only starts, is no source that is down for good. */
    @ParameterizedTest
    @ValueSource(strings = {"53300", "28P01", "57P03"})
    void aSourceThatAnswersInAnyWayIsNotDoneWithout(String sqlState) {
        UUID move = crashed(Step.FLIP);
        MoveEngine refused = MoveEngine.of(CutOffPools.parts(lab, Set.of(s1), sqlState));

        assertThatThrownBy(() -> refused.activateWithoutSource(move, WHY))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("shard s1 answers, though not as it should (sqlstate=" + sqlState + ")");

        assertThat(lab.owners(tenant)).isEmpty();
        settled(s2);
    }

    @Test
    void anOrderIsRefusedWhenTheMoverWasFaster() {
        UUID move = crashed(Step.FLIP);
        lab.expire(move);
        MoveEngine late = operator(point -> {
            if (point.equals(CrashPoint.before(Step.TAKE_OVER))) {
                lab.engine().recover();
            }
        });

        assertThatThrownBy(() -> late.returnToSource(move, WHY, false))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("its mover was faster");

        home(s2, 2);
        // and nobody has to wait for the lease of the order
        assertThat(lab.engine().clean(move, true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    @Test
    void aMoveThatCannotGoOnForItsTargetGivesTheTenantBack() {
        UUID move = crashed(Step.COPY_ROWS);
        cutOff.add(s2);
        lab.expire(move);

        assertThatThrownBy(() -> operator().resume(move, MoveListener.NONE)).hasMessageContaining("is not settled");

        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
        settled(s1);
    }

    private static void join(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private UUID crashed(Step after) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(after));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        return plan.move();
    }

    private MoveEngine operator() {
        return operator(StepHook.NONE);
    }

    private MoveEngine operator(StepHook hook) {
        return new MoveEngine(CutOffPools.parts(lab, cutOff), hook);
    }

    private ReconcileReport reconcile() {
        return CutOffPools.reconciliation(lab, cutOff).reconcile();
    }

    private void settled(ShardId owner) {
        cutOff.clear();
        lab.journal.unfinished().forEach(move -> lab.expire(move.id()));
        lab.engine().recover();
        assertThat(lab.owners(tenant)).containsExactly(owner);
        assertThat(lab.placement(tenant).shard()).isEqualTo(owner);
    }

    private void home(ShardId owner, long generation) {
        assertThat(lab.owners(tenant)).containsExactly(owner);
        assertThat(lab.ownership(owner, tenant).orElseThrow().generation()).isEqualTo(generation);
        assertThat(lab.placement(tenant))
                .extracting(Placement::shard, Placement::generation)
                .containsExactly(owner, generation);
        assertThat(Shop.order(lab, owner, tenant)).isPositive();
    }

    private long orders(ShardId shard, long id) {
        return lab.count(shard, "SELECT count(*) FROM app.m_orders WHERE tenant_id = ? AND id = ?", tenant.value(), id);
    }
}
