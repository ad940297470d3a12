package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import io.homeshard.test.Database;
import io.homeshard.test.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A target that swallows everything and never answers: connections stay open, and nothing arrives. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadNetworkTest extends MovingShop {
    private static final MoveConfig SHORT = MoveLab.CONFIG
            .freeze(MoveLab.CONFIG.freeze().patience(Duration.ofSeconds(10)))
            .steps(new StepTimes(
                    Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofHours(1)));
    private static final MoveConfig LONG = SHORT.steps(
            new StepTimes(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(15), Duration.ofHours(1)));
    private FaultProxy proxy;

    DeadNetworkTest() {
        super(12);
    }

    @BeforeEach
    void interpose() throws SQLException {
        Database target = lab.cluster.shard(1);
        proxy = FaultProxy.to(target.host(), target.port());
    }

    @AfterEach
    void heal() {
        proxy.close();
    }

    private MoveEngine engine(MoveConfig config, StepHook hook) {
        MoveParts p = lab.parts(config);
        ShardPools pools = new ProxiedPools(
                p.pools(), s2, proxy.jdbcUrl(lab.cluster.shard(1).name()));
        return new MoveEngine(
                new MoveParts(p.directory(), p.journal(), p.guard(), pools, p.tables(), p.clocks(), p.config()), hook);
    }

    private StepHook deafAt(Step step) {
        return here -> {
            if (here.equals(CrashPoint.after(step))) {
                proxy.blackHole();
            }
        };
    }

    /** In a step, in the copy, in the comparison: wherever it happens, the tenant writes again within seconds. */
    @ParameterizedTest
    @EnumSource(names = {"FREEZE", "COPY_ROWS"})
    void deadTargetDoesNotKeepTheTenantFrozen(Step step) {
        deadAt(step);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(names = {"EMPTY_TARGET", "COMPARE", "MARK_VERIFIED"})
    void deadTargetDoesNotKeepTheTenantFrozenAtTheOtherPoints(Step step) {
        deadAt(step);
    }

    private void deadAt(Step step) {
        MoveEngine engine = engine(SHORT, deafAt(step));
        MovePlan plan = engine.plan(tenant, s2);
        long start = System.nanoTime();

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("not settled")
                .hasMessageContaining("ABORTING");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.OWNED);
        assertThat(Shop.order(lab, s1, tenant)).as("a write").isPositive();
        lab.expire(plan.move());
        assertThat(engine.recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.UNSETTLED);
        assertThat(lab.owners(tenant)).containsExactly(s1);

        proxy.heal();
        lab.expire(plan.move());
        assertThat(engine.recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
    }

    /** The mover's process is gone as well: another one thaws the source although the target does not answer. */
    @Test
    void recoverThawsTheSourceWhileTheTargetIsDead() {
        MoveEngine engine = engine(SHORT, SimulatedCrash.at(Step.COPY_ROWS));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        proxy.blackHole();
        lab.expire(plan.move());
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.FROZEN);

        assertThat(engine(SHORT, StepHook.NONE).recover())
                .extracting(MoveReport::outcome)
                .containsExactly(MoveReport.Outcome.UNSETTLED);

        assertThat(Shop.order(lab, s1, tenant)).as("a write").isPositive();
        proxy.heal();
        lab.expire(plan.move());
        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);
    }

    /** Long before the step's own limit. */
    @Test
    void cancelBreaksOffAStepThatHangs() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        MoveEngine engine = engine(LONG, point -> {});
        MovePlan plan = engine.plan(tenant, s2);
        CompletableFuture<Void> move =
                CompletableFuture.runAsync(() -> engine.execute(plan, PhaseListener.at(MovePhase.RESERVED, entered -> {
                    proxy.blackHole();
                    hanging.countDown();
                })));
        assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();

        lab.engine().cancel(plan.move(), "not today");
        MoveLab.await(() -> lab.journal.find(plan.move()).orElseThrow().phase() == MovePhase.ABORTING);
        MoveLab.await(() -> lab.count(
                        s1,
                        "SELECT count(*) FROM homeshard.mover_fence WHERE tenant_id = ? AND given_up",
                        tenant.value())
                == 1);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
        proxy.heal();
        assertThatThrownBy(move::join).hasCauseInstanceOf(MoveException.class);
        if (lab.journal.find(plan.move()).orElseThrow().phase() == MovePhase.ABORTING) {
            lab.expire(plan.move());
            lab.engine().recover();
        }
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.journal.find(plan.move()).orElseThrow().reason()).isEqualTo("not today");
    }

    @Test
    void planningGivesUpOnATargetThatStopsAnswering() {
        MoveParts p = lab.parts(SHORT);
        ProxiedPools pools = new ProxiedPools(
                p.pools(), s2, proxy.jdbcUrl(lab.cluster.shard(1).name()));
        MoveEngine engine = MoveEngine.of(new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                pools.then(proxy::blackHole),
                p.tables(),
                p.clocks(),
                p.config()));

        assertThatThrownBy(() -> engine.plan(tenant, s2))
                .isInstanceOfAny(MoveException.class, io.homeshard.model.ShardUnavailableException.class);
    }

    /** Reaches one shard by way of the proxy. */
    private record ProxiedPools(ShardPools pools, ShardId shard, String url, Runnable opened) implements ShardPools {
        ProxiedPools(ShardPools pools, ShardId shard, String url) {
            this(pools, shard, url, () -> {});
        }

        ProxiedPools then(Runnable next) {
            return new ProxiedPools(pools, shard, url, next);
        }

        @Override
        public Connection borrow(Shard wanted) throws SQLException {
            return open(wanted, "test");
        }

        @Override
        public Connection open(Shard wanted, String applicationName) throws SQLException {
            boolean proxied = wanted.id().equals(shard);
            Connection connection = pools.open(proxied ? Shard.of(shard.value(), url) : wanted, applicationName);
            if (proxied) {
                opened.run();
            }
            return connection;
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
        public void close() {}
    }
}
