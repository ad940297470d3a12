package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.PlacementState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tenant is frozen only within the window of its move, and for no longer than the budget, unless it has flipped. */
class FreezeTermsTest extends MovingShop {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration BUDGET = Duration.ofMillis(400);
    /** To get to the flip on a busy machine. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(3);

    FreezeTermsTest() {
        super(3);
    }

    private MovePlan plan() {
        return lab.engine().plan(tenant, s2);
    }

    @Test
    void outsideItsWindowAMoveIsNotBegun() {
        MovePlan early = plan().within(Instant.now().plus(HOUR), null);
        assertThatThrownBy(() -> lab.engine().execute(early, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was not begun: the window has not begun (notBefore=");
        MovePlan late = plan().within(Instant.now().minus(HOUR), Instant.now().minusSeconds(1));
        assertThatThrownBy(() -> lab.engine().execute(late, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was not begun: the window is over (notAfter=");
        assertThat(lab.journal.ofTenant(tenant)).isEmpty();
        MovePlan within = plan().within(Instant.now().minus(HOUR), Instant.now().plus(HOUR))
                .freezeBudget(HOUR);
        assertThat(lab.engine().execute(within, MoveListener.NONE).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }

    @Test
    void aWindowThatEndsBeforeTheFreezeLeavesTheTenantAsItIs() {
        MovePlan plan = plan().within(null, Instant.now().plus(HOUR));
        assertAborted(
                plan,
                PhaseListener.at(
                        MovePhase.RESERVED,
                        move -> inDirectory(
                                "UPDATE homeshard.move SET not_after =" + " clock_timestamp() WHERE id = ?",
                                move.id())),
                "the window is over");
        assertThat(lab.journal.steps(plan.move()))
                .noneMatch(step -> step.phase() == MovePhase.FREEZING || step.phase() == MovePhase.FROZEN);
    }

    /** The listener holds the move up until the directory says ABORTING, which only the timer asks for. */
    @ParameterizedTest
    @EnumSource(
            value = MovePhase.class,
            names = {"FROZEN", "COPYING", "VERIFIED"})
    void aFreezeThatOutlastsItsBudgetIsThawedAndReported(MovePhase phase) {
        assertAborted(
                plan().freezeBudget(BUDGET).accepting(MovePlan.OVER_BUDGET),
                PhaseListener.at(phase, FreezeTermsTest::awaitAborting),
                "the freeze has used up its budget before the flip, the tenant is thawed (freezeBudget=PT0.4S, frozen=PT0.");
    }

    @Test
    void aBudgetBelowTheEstimateIsSaidBeforeAnythingIsFrozen() {
        MovePlan plan = plan().freezeBudget(Duration.ofMillis(1));
        assertThat(plan.freeze()).isGreaterThan(Duration.ofMillis(1));
        assertThatThrownBy(() -> lab.engine().execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining(
                        "may not run: [WARNING freeze-over-budget - shard s1: the freeze is expected to take"
                                + " longer than its budget (expected=" + plan.freeze() + ", freezeBudget=PT0.001S)");
        assertThat(lab.journal.ofTenant(tenant)).isEmpty();
        assertThat(plan.freezeBudget(HOUR).obstacles()).isEmpty();
        assertThat(plan.accepting(MovePlan.OVER_BUDGET).obstacles()).isEmpty();
    }

    @Test
    void aFreezeIsThawedWhenTheWindowEnds() {
        assertAborted(
                plan().within(null, Instant.now().plusMillis(1500)),
                PhaseListener.at(MovePhase.COPYING, FreezeTermsTest::awaitAborting),
                "the window ended before the flip");
    }

    /** From the moment that the flip is sent no timer thaws, however long the answer takes. */
    @Test
    void nothingIsThawedOnceTheFlipWasSent() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.before(Step.FLIP))) {
                awaitPast(LONG_ENOUGH.plusMillis(200));
            }
        });
        MovePlan plan = engine.plan(tenant, s2).freezeBudget(LONG_ENOUGH);

        MoveReport report = engine.execute(plan, MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.freezeMillis()).isGreaterThan(LONG_ENOUGH.toMillis());
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    /** Whoever goes on with a frozen tenant has no more time than is left of the budget. */
    @Test
    void whatAnEarlierRunHasUsedIsGone() {
        MoveEngine dying = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.COPY_ROWS));
        MovePlan plan = dying.plan(tenant, s2).freezeBudget(HOUR);
        assertThatThrownBy(() -> dying.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());
        inDirectory("UPDATE homeshard.move_step SET at = at - interval '2 hours' WHERE move_id = ?", plan.move());

        assertThatThrownBy(() -> lab.engine().resume(plan.move(), MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was aborted and undone")
                .hasMessageContaining("(freezeBudget=PT1H, frozen=PT2H");
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    private void assertAborted(MovePlan plan, MoveListener listener, String why) {
        assertThatThrownBy(() -> lab.engine().execute(plan, listener))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was aborted and undone")
                .hasMessageContaining(why);
        MoveRecord record = lab.journal.find(plan.move()).orElseThrow();
        assertThat(record.phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(record.reason()).contains(why);
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        Shop.order(lab, s1, tenant);
    }

    private static void awaitAborting(MoveRecord move) {
        MoveLab.await(() -> lab.journal.find(move.id()).orElseThrow().phase() == MovePhase.ABORTING);
    }

    private static void awaitPast(Duration time) {
        Instant end = Instant.now().plus(time);
        MoveLab.await(() -> Instant.now().isAfter(end));
    }

    private static void inDirectory(String sql, UUID move) {
        try (Connection connection = lab.directoryDataSource.getConnection()) {
            Jdbc.run(connection, sql, move);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
