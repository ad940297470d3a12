package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A move about which something is wrong that nobody has thought of; it harms itself only. */
class PoisonedMoveTest {
    private final TenantId first = TenantId.of("first " + UUID.randomUUID());
    private final TenantId second = TenantId.of("second " + UUID.randomUUID());
    private MoveLab lab;
    private ShardId s1;
    private ShardId s2;

    @BeforeEach
    void open() throws SQLException {
        lab = MoveLab.shop();
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(first, s1);
        lab.tenant(second, s1);
        Shop.fill(lab, s1, first, 3);
        Shop.fill(lab, s1, second, 3);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private UUID crashed(TenantId tenant, CrashPoint point) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(point));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());
        return plan.move();
    }

    private MoveEngine engine(MoveJournal journal) {
        MoveParts p = lab.parts(MoveLab.CONFIG);
        return MoveEngine.of(
                new MoveParts(p.directory(), journal, p.guard(), p.pools(), p.tables(), p.clocks(), p.config()));
    }

    /** The real journal; before a call that the predicate picks it throws what nobody expects. */
    private MoveJournal throwing(String method, Predicate<Object[]> when) {
        return (MoveJournal) Proxy.newProxyInstance(
                MoveJournal.class.getClassLoader(), new Class<?>[] {MoveJournal.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && when.test(arguments)) {
                        throw new IllegalStateException("poison");
                    }
                    try {
                        return called.invoke(lab.journal, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void moveThatCannotBeTakenOverKeepsNoOtherWaiting() {
        UUID poisoned = crashed(first, CrashPoint.after(Step.COPY_ROWS));
        crashed(second, CrashPoint.after(Step.COPY_ROWS));

        assertThat(engine(throwing("takeOver", arguments -> arguments[0].equals(poisoned)))
                        .recover())
                .extracting(MoveReport::outcome)
                .containsExactly(MoveReport.Outcome.UNSETTLED, MoveReport.Outcome.ABORTED);

        assertThat(Shop.order(lab, s1, second)).isPositive();
    }

    /** Its certificate cannot be read any more; for thawing it is not needed. */
    @Test
    void unreadableStepKeepsNobodyFromSettling() throws SQLException {
        UUID poisoned = crashed(first, CrashPoint.before(Step.FLIP));
        UUID other = crashed(second, CrashPoint.before(Step.FLIP));
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(
                    directory,
                    "UPDATE homeshard.move_step SET detail = '{\"tables\": [{\"rows\": \"many\"}]}'"
                            + " WHERE move_id = ? AND phase = 'VERIFIED'",
                    poisoned);
        }

        assertThat(lab.engine().recover())
                .extracting(MoveReport::move, MoveReport::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(poisoned, MoveReport.Outcome.ABORTED),
                        org.assertj.core.groups.Tuple.tuple(other, MoveReport.Outcome.ABORTED));

        assertThat(Shop.order(lab, s1, first)).isPositive();
        assertThat(Shop.order(lab, s1, second)).isPositive();
    }

    @Test
    void causeIsNotLostWhenUndoingFailsUnexpectedly() {
        MoveEngine engine = engine(throwing("abort", arguments -> true));
        MovePlan plan = engine.plan(first, s2);

        assertThatThrownBy(() -> engine.execute(
                        plan,
                        PhaseListener.at(
                                MovePhase.FREEZING,
                                move -> lab.run(s2, "ALTER TABLE app.a_lines ADD COLUMN late int"))))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("is not settled: poison")
                .hasStackTraceContaining("tables have changed since the plan");

        assertThat(lab.journal.find(plan.move()).orElseThrow().phase()).isEqualTo(MovePhase.VERIFIED);
        lab.expire(plan.move());
        lab.run(s2, "ALTER TABLE app.a_lines DROP COLUMN late");
        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);
    }

    /** Whatever the directory's client throws: the next renewal may succeed. */
    @Test
    void leaseIsRenewedAgainAfterAnUnexpectedFailure() {
        AtomicInteger renewals = new AtomicInteger();
        AtomicBoolean thrown = new AtomicBoolean();
        MoveEngine engine = engine(throwing("renew", arguments -> {
            renewals.incrementAndGet();
            return thrown.compareAndSet(false, true);
        }));

        MoveReport report = engine.execute(
                engine.plan(first, s2),
                PhaseListener.at(MovePhase.COPYING, move -> MoveLab.await(() -> renewals.get() > 1)));

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
    }
}
