package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.observe.ShardListener;
import io.homeshard.pool.PoolConfig;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One shard's server is gone: who suffers, for how long, and what they are told. */
class DeadShardTest {
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

    private final CountDownLatch down = new CountDownLatch(1);
    private final CountDownLatch up = new CountDownLatch(1);
    private final ShardListener listener = new ShardListener() {
        @Override
        public void shardDown(ShardId shard, Throwable cause) {
            down.countDown();
        }

        @Override
        public void shardUp(ShardId shard) {
            up.countDown();
        }
    };

    @Test
    void onlyItsTenantsFailFastByNameAndHealByThemselves() throws Exception {
        TestCluster cluster =
                TestCluster.builder().shards(2).dedicatedServers(true).build();
        HomeshardBuilder builder = Homeshard.builder()
                .listener(listener)
                .pool(PoolConfig.defaults().withConnectionTimeout(CONNECTION_TIMEOUT));
        try (ShardedApp app = ShardedApp.on(cluster, builder)) {
            TenantId dead = app.tenant("t_dead", "s2");
            TenantId alive = app.tenant("t_alive", "s1");
            read(app.homeshard(), alive);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicReference<Throwable> trouble = new AtomicReference<>();
            Thread other = new Thread(() -> keepReading(app.homeshard(), alive, stop, trouble));
            other.start();

            cluster.shardServer(1).stop();
            Refusal first = refused(app.homeshard(), dead);
            assertThat(first.took).isLessThan(CONNECTION_TIMEOUT.plusMillis(100));
            assertThat(first.failure)
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageContaining("shard s2")
                    .hasMessageContaining("limit=10");
            assertThat(down.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(app.homeshard().health().dead()).containsOnlyKeys(ShardId.of("s2"));

            for (int i = 0; i < 20; i++) {
                Refusal next = refused(app.homeshard(), dead);
                assertThat(next.took).isLessThan(Duration.ofMillis(50));
                assertThat(next.failure).hasMessageContaining("shard s2").hasMessageContaining("known to be dead");
            }

            cluster.shardServer(1).start();
            assertThat(up.await(20, TimeUnit.SECONDS)).isTrue();
            read(app.homeshard(), dead);
            stop.set(true);
            other.join();
            assertThat(trouble.get()).as("the other shard never noticed").isNull();
        }
    }

    @Test
    void connectionsThatBrokeLeadToTheProbeAndNotToEndlessTries() throws Exception {
        TestCluster cluster =
                TestCluster.builder().shards(1).dedicatedServers(true).build();
        HomeshardBuilder builder = Homeshard.builder()
                .listener(listener)
                .pool(PoolConfig.defaults().withConnectionTimeout(CONNECTION_TIMEOUT));
        try (ShardedApp app = ShardedApp.on(cluster, builder)) {
            TenantId dead = app.tenant("t_dead", "s1");
            Throwable broken = catchThrowable(() -> app.homeshard().run(dead, () -> {
                try (Connection connection = app.homeshard().dataSource().getConnection()) {
                    connection.setAutoCommit(false);
                    Jdbc.one(connection, "SELECT 1", row -> row.getInt(1));
                    cluster.shardServer(0).stop();
                    Jdbc.one(connection, "SELECT 1", row -> row.getInt(1));
                }
            }));
            assertThat(broken)
                    .as("nothing was being committed")
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageContaining("shard s1");
            assertThat(down.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(refused(app.homeshard(), dead).took).isLessThan(Duration.ofMillis(50));
        }
    }

    private record Refusal(HomeshardException failure, Duration took) {}

    private static Refusal refused(Homeshard homeshard, TenantId tenant) {
        long start = System.nanoTime();
        Throwable failure = catchThrowable(() -> read(homeshard, tenant));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(failure).isInstanceOf(HomeshardException.class);
        return new Refusal((HomeshardException) failure, took);
    }

    private static void keepReading(
            Homeshard homeshard, TenantId tenant, AtomicBoolean stop, AtomicReference<Throwable> trouble) {
        while (!stop.get() && trouble.get() == null) {
            try {
                read(homeshard, tenant);
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (Exception e) {
                trouble.set(e);
            }
        }
    }

    private static void read(Homeshard homeshard, TenantId tenant) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                Jdbc.one(connection, "SELECT count(*) FROM app.note", row -> row.getLong(1));
            }
        });
    }
}
