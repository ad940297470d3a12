package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No mover does anything that has an effect outside a step, and all steps are come by: each has its crash points. */
class StepCoverageTest extends MovingShop {
    private static final RecordedSteps STEPS = new RecordedSteps();

    StepCoverageTest() {
        super(8);
    }

    /** Which steps all the moves below have come by. */
    @AfterAll
    static void everyCrashPointWasReached() {
        assertThat(CrashPoint.all()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(STEPS.reached).containsExactlyInAnyOrderElementsOf(CrashPoint.all());
        assertThat(STEPS.effects.get()).isGreaterThan(100);
    }

    @AfterEach
    void nothingHappenedOutside() {
        assertThat(STEPS.outside).isEmpty();
    }

    private MoveEngine engine(StepHook then) {
        return new MoveEngine(STEPS.watched(lab.parts(MoveLab.CONFIG)), new StepHook() {
            @Override
            public void reached(CrashPoint point) {
                STEPS.reached(point);
                then.reached(point);
            }

            @Override
            public void left(Step step) {
                STEPS.left(step);
            }
        });
    }

    private UUID crashed(Step after) {
        MoveEngine engine = engine(SimulatedCrash.at(after));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());
        return plan.move();
    }

    @Test
    void cleanedAfterItsCleanerWasLost() {
        MoveEngine engine = engine(StepHook.NONE);
        MovePlan plan = engine.plan(tenant, s2);
        engine.execute(plan, MoveListener.NONE);
        assertThatThrownBy(() -> engine(SimulatedCrash.at(Step.SWEEP_OLD)).clean(plan.move(), true))
                .isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());

        assertThat(engine.clean(plan.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    @Test
    void cancelled() {
        MoveEngine other = engine(StepHook.NONE);
        UUID[] move = new UUID[1];
        MoveEngine engine = engine(point -> {
            if (point.equals(CrashPoint.before(Step.ENTER_VERIFIED))) {
                other.cancel(move[0], "test");
            }
        });
        MovePlan plan = engine.plan(tenant, s2);
        move[0] = plan.move();

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(MoveException.class);
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    void resumed() {
        UUID move = crashed(Step.COPY_ROWS);

        assertThat(engine(StepHook.NONE).resume(move, MoveListener.NONE).outcome())
                .isEqualTo(MoveReport.Outcome.MOVED);
    }

    @Test
    void recoveredFromTransactionsThatDoNotEnd() throws SQLException {
        UUID move = crashed(Step.RESERVE);
        long epoch = lab.journal.find(move).orElseThrow().epoch();
        MoverToken old = new MoverToken(tenant, move, epoch, 1);
        try (Connection source = named(s1, old);
                Connection target = named(s2, old)) {
            lab.guard.freeze(source, old, 1, Duration.ofMillis(500));
            lab.guard.reserve(target, old, 2);

            assertThat(engine(StepHook.NONE).recover())
                    .extracting(MoveReport::outcome)
                    .containsExactly(MoveReport.Outcome.ABORTED);
        }
    }

    private static Connection named(ShardId shard, MoverToken token) throws SQLException {
        Connection connection = lab.connect(shard);
        Jdbc.run(connection, "SELECT set_config('application_name', ?, false)", WriteGuard.applicationName(token));
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void sentBackByAPerson() {
        UUID move = crashed(Step.MARK_MOVED);

        assertThat(engine(StepHook.NONE).returnToSource(move, "test", false).outcome())
                .isEqualTo(MoveReport.Outcome.ABORTED);
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    void activatedByAPerson() {
        UUID move = crashed(Step.FLIP);
        MoveEngine operator = new MoveEngine(STEPS.watched(CutOffPools.parts(lab, Set.of(s1))), STEPS);

        assertThat(operator.activateWithoutSource(move, "test").outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    @Test
    void flippedAgain() throws SQLException {
        UUID move = crashed(Step.MARK_MOVED);
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(
                    directory,
                    "UPDATE homeshard.placement SET shard_id = 's1', generation = 1, state = 'frozen' WHERE tenant_id = ?",
                    tenant.value());
            Jdbc.run(directory, "UPDATE homeshard.move SET phase = 'VERIFIED' WHERE id = ?", move);
        }

        List<MoveReport> reports = engine(StepHook.NONE).recover();

        assertThat(reports).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.MOVED);
    }
}
