package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.drain.DrainConfig;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardInUseException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A shard is emptied under load, and then taken out of use. */
class DrainUnderLoadTest {
    private static final int FEW = Integer.getInteger("homeshard.drain.tenants", 7);
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
    void tenantsLeaveUnderWriteLoadAndTheShardIsRemoved() throws Exception {
        drainAndRemove(tenants(FEW));
    }

    @Test
    @Tag("long")
    void twentyTenantsLeaveUnderWriteLoadAndTheShardIsRemoved() throws Exception {
        drainAndRemove(tenants(20));
    }

    private void drainAndRemove(List<TenantId> tenants) throws InterruptedException {
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
            assertThat(most.moved.get()).isEqualTo(tenants.size());
            assertThat(status(s1)).isEqualTo(ShardStatus.DRAINING);
            assertThatThrownBy(() -> homeshard.tenants().createOn(TenantId.of("new"), s1))
                    .isInstanceOf(PlacementException.class);
            assertThat(homeshard.tenants().create(TenantId.of("new")).shard()).isIn(s2, s3);
            busy.awaitMore();
            assertThatThrownBy(() -> homeshard.shards().remove(s1))
                    .isInstanceOf(ShardInUseException.class)
                    .hasMessageContaining("cleanDue() deletes them")
                    .hasMessageContaining("(moves=" + tenants.size());
            report.moved().forEach(move -> mover.cleanNow(move.move()));

            homeshard.shards().remove(s1);

            assertThat(homeshard.shards().list()).extracting(Shard::id).containsExactly(s2, s3);
            assertThat(lab.count(s1, "SELECT count(*) FROM app.m_orders")).isZero();
            busy.awaitMore();
            int rows = busy.verify();
            assertThat(rows).isGreaterThan(tenants.size());
            LongSummaryStatistics frozen = report.moved().stream()
                    .mapToLong(DrainUnderLoadTest::freeze)
                    .summaryStatistics();
            System.out.printf(
                    "drain: %d tenants left shard %s, at most %d at once, %d writes acknowledged, none lost; frozen %d to %d ms%n",
                    report.moved().size(), s1, most.atOnce.get(), rows, frozen.getMin(), frozen.getMax());
            assertThat(mover.recover()).isEmpty();
            assertThat(lab.journal
                            .find(report.moved().get(0).move())
                            .orElseThrow()
                            .source())
                    .isEqualTo(s1);
        }
    }

    /** All warnings that there are accepted, as a person would who has looked at them. */
    static DrainPlan agreed(DrainPlan plan) {
        return plan.accepting(plan.moves().stream()
                .flatMap(move -> move.findings().stream())
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::name)
                .distinct()
                .toArray(String[]::new));
    }

    private static long freeze(MoveReport move) {
        Long millis = move.freezeMillis();
        return millis == null ? 0 : millis;
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
