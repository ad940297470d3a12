package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.Homeshard;
import io.homeshard.migrate.TenantMover;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Old rows outlive every router that may still look at them, whatever a process's clock says. */
class RetentionTest {
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());

    @Test
    void processWhoseClockIsFastCleansNothingEarly() throws SQLException {
        try (MoveLab lab = MoveLab.shop()) {
            ShardId s1 = lab.shard(1);
            lab.tenant(tenant, s1);
            Shop.fill(lab, s1, tenant, 2);
            MoveReport report = lab.move(tenant, lab.shard(2));
            int steps = lab.journal.steps(report.move()).size();
            MoveParts p = lab.parts(MoveLab.CONFIG);
            MoveEngine fast = MoveEngine.of(new MoveParts(
                    p.directory(),
                    p.journal(),
                    p.guard(),
                    p.pools(),
                    p.tables(),
                    new Ahead(Duration.ofDays(3)),
                    p.config()));

            assertThat(fast.cleanDue()).isEmpty();
            assertThatThrownBy(() -> fast.clean(report.move(), false)).hasMessageContaining("kept until");

            assertThat(lab.journal.steps(report.move())).as("no trace").hasSize(steps);
            assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty();

            assertRetentionIsAtLeastTheLongestRoute(lab);
        }
    }

    private static void assertRetentionIsAtLeastTheLongestRoute(MoveLab lab) {
        Database any = lab.cluster.directory();
        try (Homeshard homeshard = Homeshard.builder()
                .directory(lab.directoryDataSource)
                .credentials(shard -> new ShardCredentials(any.user(), any.password()))
                .tables(Shop.TABLES)
                .maxScopeAge(Duration.ofMinutes(5))
                .build()) {
            // 15 min in the cache, 5 min in a scope, 30 s of lease
            Duration least = Duration.ofMinutes(20).plusSeconds(30);
            assertThat(TenantMover.of(homeshard, MoveConfig.defaults().retention(least)))
                    .isNotNull();
            assertThatThrownBy(() ->
                            TenantMover.of(homeshard, MoveConfig.defaults().retention(least.minusMillis(1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "retention must be >= PT20M30S (maxReadStaleness + maxScopeAge + lease), was");
        }
    }

    /** Date and time run ahead; durations do not. */
    private record Ahead(Duration by) implements Clocks {
        @Override
        public Instant now() {
            return Clocks.system().now().plus(by);
        }

        @Override
        public long nanoTime() {
            return Clocks.system().nanoTime();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Clocks.system().sleep(duration);
        }
    }
}
