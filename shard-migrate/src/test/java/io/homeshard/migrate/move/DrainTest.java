package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.drain.Drain;
import io.homeshard.migrate.drain.DrainConfig;
import io.homeshard.migrate.drain.DrainFailure;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainParts;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.placement.HashRing;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a drain plans, where it stops, and how it goes on. */
class DrainTest {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;
    private static ShardId s3;

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

    /** The tenants that a test has left are none of the next one's. */
    @AfterEach
    void startAfresh() throws SQLException {
        inDirectory("UPDATE homeshard.placement SET shard_id = 's3' WHERE shard_id = 's1'");
        inDirectory(
                "UPDATE homeshard.shard SET status = 'active', dedicated = false, region = NULL, max_tenants = NULL");
    }

    private static List<TenantId> tenants(int count) throws SQLException {
        List<TenantId> tenants = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TenantId tenant = TenantId.of("company " + (1000 + COUNTER.incrementAndGet()));
            lab.tenant(tenant, s1);
            Shop.fill(lab, s1, tenant, 2);
            tenants.add(tenant);
        }
        return tenants;
    }

    @Test
    void itStopsAtTheFirstFailureAndGoesOnWhenCalledAgain() throws SQLException {
        List<TenantId> tenants = tenants(3);
        Drain drain = drain(lab.engine());
        DrainPlan plan =
                DrainUnderLoadTest.agreed(drain.plan(s1, DrainConfig.defaults().parallel(1)));

        DrainReport stopped = drain.run(plan, cancelling(tenants.get(1)));

        assertThat(stopped.complete()).isFalse();
        assertThat(stopped.moved()).extracting(MoveReport::tenant).containsExactly(tenants.get(0));
        assertThat(stopped.failed()).extracting(DrainFailure::tenant).containsExactly(tenants.get(1));
        assertThat(stopped.failed().get(0).reason())
                .contains("was aborted and undone")
                .contains("not this one");
        assertThat(stopped.left()).containsExactlyElementsOf(tenants.subList(2, 3));
        assertThatThrownBy(() -> lab.admin.removeShard(s1))
                .hasMessageContaining("(tenants=2, one=" + tenants.get(1) + ")");

        DrainReport rest = drain.run(plan, DrainListener.NONE);

        assertThat(rest.complete()).isTrue();
        assertThat(rest.moved()).extracting(MoveReport::tenant).containsExactlyElementsOf(tenants.subList(1, 3));
        assertThat(drain.run(plan, DrainListener.NONE).moved())
                .as("nothing is left to do")
                .isEmpty();
    }

    @Test
    void itGoesOnAfterFailuresWhenToldTo() throws SQLException {
        List<TenantId> tenants = tenants(2);
        Drain drain = drain(lab.engine());
        DrainPlan plan = DrainUnderLoadTest.agreed(
                drain.plan(s1, DrainConfig.defaults().parallel(1).goingOnAfterFailure()));
        DrainReport report = drain.run(plan, cancelling(tenants.get(0)));
        assertThat(report.failed()).extracting(DrainFailure::tenant).containsExactly(tenants.get(0));
        assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyElementsOf(tenants.subList(1, 2));
        assertThat(report.left()).isEmpty();
        assertThat(report.complete()).isFalse();
    }

    /** The moves of a drain whose process died are gone on with, in the same call, as soon as their leases are over. */
    @Test
    void whatADrainThatDiedHasBegunIsBroughtToItsEnd() throws SQLException {
        List<TenantId> tenants = tenants(2);
        MoveConfig brief = MoveLab.SHORT_LEASE;
        Drain dying = drain(lab.engine(brief, SimulatedCrash.at(Step.COPY_ROWS)));
        DrainPlan plan =
                DrainUnderLoadTest.agreed(dying.plan(s1, DrainConfig.defaults().parallel(1)));
        assertThatThrownBy(() -> dying.run(plan, DrainListener.NONE)).isInstanceOf(SimulatedCrash.class);
        assertThat(lab.journal.unfinished()).hasSize(1);

        Drain next = drain(lab.engine(brief));
        DrainPlan rest = DrainUnderLoadTest.agreed(next.plan(s1, DrainConfig.defaults()));
        assertThat(rest.underWay()).extracting(move -> move.tenant()).containsExactly(tenants.get(0));
        DrainReport report = next.run(rest, DrainListener.NONE);

        assertThat(report.complete()).isTrue();
        assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(lab.admin.listOn(s1, Optional.empty(), 10)).isEmpty();
    }

    @Test
    void whatWasMovedIsReportedAlsoWhenTheDirectoryIsGoneAfterwards() throws SQLException {
        List<TenantId> tenants = tenants(2);
        DrainParts parts = parts(lab.engine());
        DrainPlan plan = DrainUnderLoadTest.agreed(Drain.of(parts).plan(s1, DrainConfig.defaults()));

        DrainReport report = Drain.of(withAdmin(parts, forgetful())).run(plan, DrainListener.NONE);

        assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(report.problem())
                .isInstanceOf(DirectoryUnavailableException.class)
                .hasMessage("not now");
        assertThat(report.complete()).as("nobody knows who else is there").isFalse();
        assertThat(Drain.of(parts).run(plan, DrainListener.NONE).complete()).isTrue();
    }

    /** Whoever is told of the error closes what the other moves need. */
    @Test
    void noMoveIsUnderWayWhenADrainEndsWithAnError() throws SQLException {
        List<TenantId> tenants = tenants(2);
        CountDownLatch crashed = new CountDownLatch(1);
        Map<Thread, TenantId> movers = new ConcurrentHashMap<>();
        Drain drain = drain(lab.engine(MoveLab.SHORT_LEASE, here -> {
            if (here.equals(CrashPoint.after(Step.COPY_ROWS))) {
                if (tenants.get(0).equals(movers.get(Thread.currentThread()))) {
                    crashed.countDown();
                    throw new SimulatedCrash(here);
                }
                MoveLab.await(() -> crashed.getCount() == 0);
            }
        }));
        DrainPlan plan =
                DrainUnderLoadTest.agreed(drain.plan(s1, DrainConfig.defaults().parallel(2)));

        assertThatThrownBy(() -> drain.run(plan, new DrainListener() {
                    @Override
                    public MoveListener begun(MovePlan move) {
                        movers.put(Thread.currentThread(), move.tenant());
                        return MoveListener.NONE;
                    }
                }))
                .isInstanceOf(SimulatedCrash.class);

        assertThat(lab.journal.unfinished()).extracting(MoveRecord::tenant).containsExactly(tenants.get(0));
        Drain next = drain(lab.engine(MoveLab.SHORT_LEASE));
        DrainPlan rest = DrainUnderLoadTest.agreed(next.plan(s1, DrainConfig.defaults()));
        assertThat(next.run(rest, DrainListener.NONE).complete()).isTrue();
    }

    /** However long it takes: the drain's own clock is far beyond every lease when the other mover goes on. */
    @Test
    void aMoveThatAnotherMoverIsAtIsWaitedFor() throws SQLException {
        TenantId tenant = tenants(1).get(0);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(5);
        MoveEngine other = lab.engine(MoveLab.SHORT_LEASE);
        MovePlan move = other.plan(tenant, s2);
        CompletableFuture<MoveReport> moving =
                CompletableFuture.supplyAsync(() -> other.execute(move, PhaseListener.at(MovePhase.COPYING, record -> {
                    held.countDown();
                    MoveLab.await(() -> looked.getCount() == 0);
                })));
        MoveLab.await(() -> held.getCount() == 0);
        DrainParts p = parts(lab.engine());
        Drain drain = Drain.of(new DrainParts(
                p.engine(), p.directory(), p.admin(), p.journal(), p.policy(), new Hasty(looked, new AtomicLong())));

        DrainReport report = drain.run(drain.plan(s1, DrainConfig.defaults()), DrainListener.NONE);

        assertThat(report.complete()).isTrue();
        assertThat(report.moved()).as("the other one did it").isEmpty();
        assertThat(moving.join().outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    /** Every wait takes a minute by this clock, and counts. */
    private record Hasty(CountDownLatch waits, AtomicLong passed) implements Clocks {
        @Override
        public Instant now() {
            return Clocks.system().now();
        }

        @Override
        public long nanoTime() {
            return Clocks.system().nanoTime() + passed.get();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Clocks.system().sleep(Duration.ofMillis(20));
            passed.addAndGet(Duration.ofMinutes(1).toNanos());
            waits.countDown();
        }
    }

    @Test
    void whoComesBetweenPlanAndDrainGoesToo() throws SQLException {
        tenants(1);
        Drain drain = drain(lab.engine());
        DrainPlan plan = DrainUnderLoadTest.agreed(drain.plan(s1, DrainConfig.defaults()));
        TenantId late = TenantId.of("late");
        lab.tenant(late, s1);
        Shop.fill(lab, s1, late, 1);
        DrainReport report = drain.run(plan, DrainListener.NONE);
        assertThat(report.failed()).isEmpty();
        assertThat(report.moved()).extracting(MoveReport::tenant).contains(late).hasSize(2);
        assertThat(report.complete()).isTrue();
    }

    @Test
    void aPlanWithoutRoomSaysWhyAndChangesNothing() throws SQLException {
        List<TenantId> tenants = tenants(3);
        inDirectory(
                "UPDATE homeshard.shard SET max_tenants = 1 + (SELECT count(*) FROM homeshard.placement WHERE shard_id = 's2')"
                        + " WHERE shard_id = 's2'");
        inDirectory("UPDATE homeshard.shard SET dedicated = true WHERE shard_id = 's3'");
        Drain drain = drain(lab.engine());

        DrainPlan plan = DrainUnderLoadTest.agreed(drain.plan(s1, DrainConfig.defaults()));

        assertThat(plan.moves()).extracting(MovePlan::target).containsExactly(s2);
        assertThat(plan.unplanned()).containsOnlyKeys(tenants.subList(1, 3).toArray(TenantId[]::new));
        assertThat(plan.unplanned().values().iterator().next())
                .hasToString("ERROR no-target - shard s1: no shard takes its tenants: [s1 is drained, s3 is dedicated,"
                        + " s2 is full] (put a shard into service, or name targets)");
        assertThat(plan.findings()).containsEntry("no-target", 2L);
        assertThatThrownBy(() -> drain.run(plan, DrainListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageStartingWith("drain of shard s1 - may not run, plan.obstacles() says why (tenants=2)");
        assertThat(status(s1)).isEqualTo(ShardStatus.ACTIVE);
        assertThat(lab.journal.ofTenant(tenants.get(0))).isEmpty();

        DrainPlan named =
                DrainUnderLoadTest.agreed(drain.plan(s1, DrainConfig.defaults().to(s3)));
        assertThat(named.targets()).containsExactly(Map.entry(s3, 3L));
        inDirectory("UPDATE homeshard.shard SET dedicated = false, region = 'eu' WHERE shard_id = 's3'");
        assertThat(drain.plan(s1, DrainConfig.defaults()).unplanned()).hasSize(2);
        assertThat(drain.plan(s1, DrainConfig.defaults().toAnyRegion()).unplanned())
                .isEmpty();
    }

    @Test
    void termsHoldForEveryMove() throws SQLException {
        List<TenantId> tenants = tenants(2);
        Drain drain = drain(lab.engine());
        DrainPlan plan = DrainUnderLoadTest.agreed(
                        drain.plan(s1, DrainConfig.defaults().goingOnAfterFailure()))
                .within(Instant.now().plus(Duration.ofHours(1)), null)
                .freezeBudget(Duration.ofMinutes(1));
        assertThat(plan.moves()).allSatisfy(move -> {
            assertThat(move.terms().notBefore()).isNotNull();
            assertThat(move.terms().freezeBudget()).isEqualTo(Duration.ofMinutes(1));
        });
        DrainReport report = drain.run(plan, DrainListener.NONE);
        assertThat(report.failed()).extracting(DrainFailure::tenant).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(report.failed())
                .allSatisfy(
                        failure -> assertThat(failure.reason()).contains("was not begun: the window has not begun"));
        assertThatThrownBy(() -> plan.accepting("no-such-warning"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 'no-such-warning'");
    }

    /** Cancels the move of one tenant before its rows travel. */
    private DrainListener cancelling(TenantId tenant) {
        return new DrainListener() {
            @Override
            public MoveListener begun(MovePlan plan) {
                return plan.tenant().equals(tenant)
                        ? PhaseListener.at(
                                MovePhase.FROZEN, move -> lab.engine().cancel(move.id(), "not this one"))
                        : MoveListener.NONE;
            }
        };
    }

    /** A directory that does not say who lives on a shard. */
    private static DirectoryAdmin forgetful() {
        return (DirectoryAdmin) Proxy.newProxyInstance(
                DirectoryAdmin.class.getClassLoader(),
                new Class<?>[] {DirectoryAdmin.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("listOn")) {
                        throw new DirectoryUnavailableException("not now", null);
                    }
                    return method.invoke(lab.admin, arguments);
                });
    }

    private static DrainParts withAdmin(DrainParts p, DirectoryAdmin admin) {
        return new DrainParts(p.engine(), p.directory(), admin, p.journal(), p.policy(), p.clocks());
    }

    private static Drain drain(MoveEngine engine) {
        return Drain.of(parts(engine));
    }

    private static DrainParts parts(MoveEngine engine) {
        return new DrainParts(engine, lab.directory, lab.admin, lab.journal, HashRing.create(), Clocks.system());
    }

    private ShardStatus status(ShardId shard) {
        return lab.directory.shard(shard).orElseThrow().status();
    }

    private static void inDirectory(String sql) throws SQLException {
        try (Connection connection = lab.directoryDataSource.getConnection()) {
            MoveLab.execute(connection, sql);
        }
    }
}
