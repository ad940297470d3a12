package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.drain.Drain;
import io.homeshard.migrate.drain.DrainConfig;
import io.homeshard.migrate.drain.DrainFailure;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainParts;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardInUseException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.placement.HashRing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard is emptied under load, and then taken out of use. */
class DrainTest {
    private static final int TENANTS = Integer.getInteger("homeshard.drain.tenants", 20);
    private static final int PARALLEL = 3;
    private MoveLab lab;
    private ShardId s1;
    private ShardId s2;
    private ShardId s3;

    @BeforeEach
    void open() throws SQLException {
        lab = MoveLab.with(3, Shop.TABLES, Shop.DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        s3 = lab.shard(3);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private List<TenantId> tenants(int count) throws SQLException {
        List<TenantId> tenants = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TenantId tenant = TenantId.of("company " + (char) ('a' + i / 10) + i % 10);
            lab.tenant(tenant, s1);
            Shop.fill(lab, s1, tenant, 3);
            tenants.add(tenant);
        }
        return tenants;
    }

    @Test
    void twentyTenantsLeaveUnderWriteLoadAndTheShardIsRemoved() throws Exception {
        List<TenantId> tenants = tenants(TENANTS);
        Most most = new Most();
        try (Homeshard homeshard = homeshard();
                BusyCompanies busy = new BusyCompanies(lab, tenants)) {
            TenantMover mover = TenantMover.of(homeshard, MoveLab.CONFIG);
            DrainPlan plan = agreed(mover.planDrain(s1, DrainConfig.defaults().parallel(PARALLEL)));
            assertThat(plan.moves()).extracting(MovePlan::tenant).containsExactlyElementsOf(tenants);
            assertThat(plan.targets()).containsOnlyKeys(s2, s3);
            assertThat(plan.rows()).isPositive();
            assertThat(status(s1)).as("a plan changes nothing").isEqualTo(ShardStatus.ACTIVE);
            busy.awaitMore();

            DrainReport report = mover.drain(plan, most);

            assertThat(report.failed()).isEmpty();
            assertThat(report.complete()).isTrue();
            assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyInAnyOrderElementsOf(tenants);
            assertThat(most.atOnce.get()).isBetween(2, PARALLEL);
            assertThat(most.moved.get()).isEqualTo(TENANTS);
            assertThat(status(s1)).isEqualTo(ShardStatus.DRAINING);
            assertThatThrownBy(() -> homeshard.tenants().createOn(TenantId.of("new"), s1))
                    .isInstanceOf(PlacementException.class);
            assertThat(homeshard.tenants().create(TenantId.of("new")).shard()).isIn(s2, s3);
            busy.awaitMore();
            assertThatThrownBy(() -> homeshard.shards().remove(s1))
                    .isInstanceOf(ShardInUseException.class)
                    .hasMessageContaining("cleanDue() deletes them")
                    .hasMessageContaining("(moves=" + TENANTS);
            report.moved().forEach(move -> mover.cleanNow(move.move()));

            homeshard.shards().remove(s1);

            assertThat(homeshard.shards().list()).extracting(Shard::id).containsExactly(s2, s3);
            assertThat(lab.count(s1, "SELECT count(*) FROM app.m_orders")).isZero();
            busy.awaitMore();
            assertThat(busy.verify()).isGreaterThan(TENANTS);
            assertThat(mover.recover()).isEmpty();
            assertThat(lab.journal.find(report.moved().get(0).move()).orElseThrow().source()).isEqualTo(s1);
        }
    }

    @Test
    void itStopsAtTheFirstFailureAndGoesOnWhenCalledAgain() throws SQLException {
        List<TenantId> tenants = tenants(4);
        Drain drain = drain(lab.engine());
        DrainPlan plan = agreed(drain.plan(s1, DrainConfig.defaults().parallel(1)));

        DrainReport stopped = drain.run(plan, cancelling(tenants.get(1)));

        assertThat(stopped.complete()).isFalse();
        assertThat(stopped.moved()).extracting(MoveReport::tenant).containsExactly(tenants.get(0));
        assertThat(stopped.failed()).extracting(DrainFailure::tenant).containsExactly(tenants.get(1));
        assertThat(stopped.failed().get(0).reason()).contains("was aborted and undone").contains("not this one");
        assertThat(stopped.left()).containsExactlyElementsOf(tenants.subList(2, 4));
        assertThatThrownBy(() -> lab.admin.removeShard(s1)).hasMessageContaining("(tenants=3, one=company a1)");

        DrainReport rest = drain.run(plan, DrainListener.NONE);

        assertThat(rest.complete()).isTrue();
        assertThat(rest.moved()).extracting(MoveReport::tenant).containsExactlyElementsOf(tenants.subList(1, 4));
        assertThat(drain.run(plan, DrainListener.NONE).moved()).as("nothing is left to do").isEmpty();
    }

    @Test
    void itGoesOnAfterFailuresWhenToldTo() throws SQLException {
        List<TenantId> tenants = tenants(3);
        Drain drain = drain(lab.engine());
        DrainPlan plan = agreed(drain.plan(s1, DrainConfig.defaults().parallel(1).goingOnAfterFailure()));
        DrainReport report = drain.run(plan, cancelling(tenants.get(0)));
        assertThat(report.failed()).extracting(DrainFailure::tenant).containsExactly(tenants.get(0));
        assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyElementsOf(tenants.subList(1, 3));
        assertThat(report.left()).isEmpty();
        assertThat(report.complete()).isFalse();
    }

    /** The moves of a drain whose process died are gone on with, in the same call, as soon as their leases are over. */
    @Test
    void whatADrainThatDiedHasBegunIsBroughtToItsEnd() throws SQLException {
        List<TenantId> tenants = tenants(3);
        MoveConfig brief = MoveLab.SHORT_LEASE;
        Drain dying = drain(lab.engine(brief, SimulatedCrash.at(Step.COPY_ROWS)));
        DrainPlan plan = agreed(dying.plan(s1, DrainConfig.defaults().parallel(1)));
        assertThatThrownBy(() -> dying.run(plan, DrainListener.NONE)).isInstanceOf(SimulatedCrash.class);
        assertThat(lab.journal.unfinished()).hasSize(1);

        Drain next = drain(lab.engine(brief));
        DrainPlan rest = agreed(next.plan(s1, DrainConfig.defaults()));
        assertThat(rest.underWay()).extracting(move -> move.tenant()).containsExactly(tenants.get(0));
        DrainReport report = next.run(rest, DrainListener.NONE);

        assertThat(report.complete()).isTrue();
        assertThat(report.moved()).extracting(MoveReport::tenant).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(lab.admin.listOn(s1, Optional.empty(), 10)).isEmpty();
    }

    @Test
    void whoComesBetweenPlanAndDrainGoesToo() throws SQLException {
        tenants(1);
        Drain drain = drain(lab.engine());
        DrainPlan plan = agreed(drain.plan(s1, DrainConfig.defaults()));
        TenantId late = TenantId.of("late");
        lab.tenant(late, s1);
        DrainReport report = drain.run(plan, DrainListener.NONE);
        assertThat(report.moved()).extracting(MoveReport::tenant).contains(late).hasSize(2);
        assertThat(report.complete()).isTrue();
    }

    @Test
    void aPlanWithoutRoomSaysWhyAndChangesNothing() throws SQLException {
        List<TenantId> tenants = tenants(3);
        inDirectory("UPDATE homeshard.shard SET max_tenants = 1 WHERE shard_id = 's2'");
        inDirectory("UPDATE homeshard.shard SET dedicated = true WHERE shard_id = 's3'");
        Drain drain = drain(lab.engine());

        DrainPlan plan = agreed(drain.plan(s1, DrainConfig.defaults()));

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

        DrainPlan named = agreed(drain.plan(s1, DrainConfig.defaults().to(s3)));
        assertThat(named.targets()).containsExactly(Map.entry(s3, 3L));
        inDirectory("UPDATE homeshard.shard SET dedicated = false, region = 'eu' WHERE shard_id = 's3'");
        assertThat(drain.plan(s1, DrainConfig.defaults()).unplanned()).hasSize(2);
        assertThat(drain.plan(s1, DrainConfig.defaults().toAnyRegion()).unplanned()).isEmpty();
    }

    @Test
    void termsHoldForEveryMove() throws SQLException {
        List<TenantId> tenants = tenants(2);
        Drain drain = drain(lab.engine());
        DrainPlan plan = agreed(drain.plan(s1, DrainConfig.defaults().goingOnAfterFailure()))
                .within(Instant.now().plus(Duration.ofHours(1)), null)
                .freezeBudget(Duration.ofMinutes(1));
        assertThat(plan.moves()).allSatisfy(move -> {
            assertThat(move.terms().notBefore()).isNotNull();
            assertThat(move.terms().freezeBudget()).isEqualTo(Duration.ofMinutes(1));
        });
        DrainReport report = drain.run(plan, DrainListener.NONE);
        assertThat(report.failed()).extracting(DrainFailure::tenant).containsExactlyInAnyOrderElementsOf(tenants);
        assertThat(report.failed()).allSatisfy(failure -> assertThat(failure.reason())
                .contains("was not begun: the window has not begun"));
        assertThatThrownBy(() -> plan.accepting("no-such-warning"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 'no-such-warning'");
    }

    /** All warnings that there are accepted, as a person would who has looked at them. */
    private static DrainPlan agreed(DrainPlan plan) {
        return plan.accepting(plan.moves().stream()
                .flatMap(move -> move.findings().stream())
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::name)
                .distinct()
                .toArray(String[]::new));
    }

    /** Cancels the move of one tenant before its rows travel. */
    private DrainListener cancelling(TenantId tenant) {
        return new DrainListener() {
            @Override
            public MoveListener begun(MovePlan plan) {
                return plan.tenant().equals(tenant)
                        ? PhaseListener.at(MovePhase.FROZEN, move -> lab.engine().cancel(move.id(), "not this one"))
                        : MoveListener.NONE;
            }
        };
    }

    private Drain drain(MoveEngine engine) {
        return Drain.of(new DrainParts(
                engine,
                lab.directory,
                lab.admin,
                lab.journal,
                HashRing.create(),
                Clocks.system(),
                MoveLab.SHORT_LEASE.lease().duration()));
    }

    private Homeshard homeshard() {
        return Homeshard.builder()
                .directory(lab.directoryDataSource)
                .credentials(shard -> new ShardCredentials(
                        lab.cluster.directory().user(), lab.cluster.directory().password()))
                .tables(Shop.TABLES)
                .build();
    }

    private ShardStatus status(ShardId shard) {
        return lab.directory.shard(shard).orElseThrow().status();
    }

    private void inDirectory(String sql) throws SQLException {
        try (Connection connection = lab.directoryDataSource.getConnection()) {
            MoveLab.execute(connection, sql);
        }
    }

    /** How many moves were under way at once. */
    private static final class Most implements DrainListener {
        final AtomicInteger now = new AtomicInteger();
        final AtomicInteger atOnce = new AtomicInteger();
        final AtomicInteger moved = new AtomicInteger();

        @Override
        public MoveListener begun(MovePlan plan) {
            atOnce.accumulateAndGet(now.incrementAndGet(), Math::max);
            return MoveListener.NONE;
        }

        @Override
        public void moved(MoveReport report) {
            now.decrementAndGet();
            moved.incrementAndGet();
        }
    }
}
