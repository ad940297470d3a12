package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.model.ShardId;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * A target was activated without its source, and then the whole directory is put back to before, epochs included. Whatever
 * is called, a target that answers is heard: there is one owner at most, and reconciliation ends it.
 */
class RestoredDirectoryTest extends MovingShop {
    private static final String WHY = "ordered by the test";
    private final Set<ShardId> cutOff = ConcurrentHashMap.newKeySet();

    RestoredDirectoryTest() {
        super(4);
    }

    private MoveEngine operator() {
        return MoveEngine.of(CutOffPools.parts(lab, cutOff));
    }

    private UUID crashed(Step after) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(after));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        return plan.move();
    }

    /** Verified, remembered, flipped in a second attempt, activated without the source; then back to what was remembered. */
    private UUID forgotten() {
        UUID move = crashed(Step.ENTER_VERIFIED);
        DirectoryPast past = DirectoryPast.of(lab);
        lab.expire(move);
        MoveEngine second = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.FLIP));
        assertThatThrownBy(() -> second.resume(move, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        activate(move);
        past.putBack();
        lab.expire(move);
        return move;
    }

    private void activate(UUID move) {
        cutOff.add(s1);
        assertThat(operator().activateWithoutSource(move, WHY).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(Shop.order(lab, s2, tenant)).isPositive();
        cutOff.clear();
    }

    private void oneOwnerInTheEnd(UUID move) {
        assertThat(lab.owners(tenant)).containsExactly(s2);
        CutOffPools.reconciliation(lab, cutOff).reconcile();
        for (int i = 0; i < 3; i++) {
            lab.expire(move);
            lab.engine().recover();
        }
        CutOffPools.reconciliation(lab, cutOff).reconcile();
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(lab.placement(tenant).shard()).isEqualTo(s2);
        assertThat(Shop.order(lab, s2, tenant)).isPositive();
    }

    @Test
    void recoveryHearsATargetThatKnowsANewerMover() {
        UUID move = forgotten();
        assertThat(lab.engine().recover()).noneMatch(report -> report.outcome() == MoveReport.Outcome.ABORTED);
        oneOwnerInTheEnd(move);
    }

    @Test
    void anOrderToEndAnAbortedMoveHearsIt() {
        UUID move = forgotten();
        lab.engine().cancel(move, "too slow");
        for (int i = 0; i < 4; i++) {
            assertThat(catchThrowable(() -> operator().returnToSource(move, WHY, false)))
                    .isInstanceOf(MoveException.class);
            assertThat(lab.owners(tenant)).containsExactly(s2);
        }
        oneOwnerInTheEnd(move);
    }

    @Test
    void anOrderAfterTheFlipHearsIt() {
        UUID move = crashed(Step.FLIP);
        DirectoryPast past = DirectoryPast.of(lab);
        cutOff.add(s1);
        MoveEngine dying = new MoveEngine(CutOffPools.parts(lab, cutOff), SimulatedCrash.at(Step.FENCE_TARGET));
        assertThatThrownBy(() -> dying.activateWithoutSource(move, WHY)).isInstanceOf(SimulatedCrash.class);
        activate(move);
        past.putBack();
        lab.expire(move);

        assertThatThrownBy(() -> operator().returnToSource(move, WHY, false)).isInstanceOf(MoveException.class);

        oneOwnerInTheEnd(move);
    }
}
