package io.homeshard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.HomeshardClosedException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import io.homeshard.test.FaultProxy;
import io.homeshard.test.PostgresServers;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HikariShardPoolsTest {
    private static final PoolConfig SMALL =
            PoolConfig.defaults().withMaximumSize(2).withConnectionTimeout(Duration.ofMillis(500));

    private final Database database = PostgresServers.shared().get(0).createDatabase("pool");
    private final Shard shard = Shard.of("s7", database.jdbcUrl());
    private final AtomicInteger checks = new AtomicInteger();
    private final ShardPools pools = pools(SMALL, (connection, any) -> checks.incrementAndGet());

    @AfterEach
    void close() {
        pools.close();
        database.close();
    }

    @Test
    void b2ManyThreadsMakeOnePool() throws Exception {
        int threads = 50;
        ShardPools raced = pools(PoolConfig.defaults().withMaximumSize(3), (connection, any) -> {});
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 2; round++) {
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    all.add(executor.submit(() -> {
                        start.await();
                        raced.borrow(shard).close();
                        return null;
                    }));
                }
                for (Future<?> one : all) {
                    one.get(30, TimeUnit.SECONDS);
                }
                assertThat(threadsNamed("homeshard-s7:housekeeper")).isEqualTo(1);
                assertThat(sessions()).isBetween(1L, 3L);
                raced.renew(shard.id());
                eventually(() -> sessions() == 0 && threadsNamed("homeshard-s7:housekeeper") == 0);
            }
        } finally {
            executor.shutdownNow();
            raced.close();
        }
    }

    @Test
    void eachPhysicalConnectionIsCheckedOnce() throws SQLException {
        pools.borrow(shard).close();
        pools.borrow(shard).close();
        assertThat(checks).hasValue(1);
        pools.open(shard, "mover").close();
        assertThat(checks).hasValue(2);
        pools.openUnchecked(shard, "roll-out").close();
        assertThat(checks).hasValue(2);
    }

    @Test
    void anExhaustedPoolNamesItsShardLimitAndUse() throws SQLException {
        try (Connection one = pools.borrow(shard);
                Connection two = pools.borrow(shard)) {
            assertThat(one).isNotSameAs(two);
            assertThatThrownBy(() -> pools.borrow(shard))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .isNotInstanceOf(ShardUnreachableException.class)
                    .hasMessageStartingWith("shard s7 - pool is exhausted, no connection became free within 500 ms")
                    .hasMessageContaining("(active=2, idle=0, waiting=0, limit=2)");
            assertThat(pools.stats(shard.id())).contains(new PoolStats(2, 0, 0, 2));
        }
        assertThat(pools.stats(ShardId.of("s8"))).isEmpty();
    }

    @Test
    void oneMoreWaiterThanAllowedIsRefusedAtOnce() throws Exception {
        ShardPools few = pools(SMALL.withMaximumWaiting(1).withConnectionTimeout(Duration.ofSeconds(20)), (c, s) -> {});
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (Connection one = few.borrow(shard)) {
            Connection two = few.borrow(shard);
            Future<Connection> waiter = executor.submit(() -> few.borrow(shard));
            eventually(() -> few.stats(shard.id()).orElseThrow().waiting() == 1);
            assertThatThrownBy(() -> few.borrow(shard)).hasMessageContaining("too many threads wait, limit 1");
            two.close();
            waiter.get(10, TimeUnit.SECONDS).close();
            assertThat(one.isClosed()).isFalse();
        } finally {
            executor.shutdownNow();
            few.close();
        }
    }

    @Test
    void aRefusedConnectionIsReportedWithinTheTimeout() {
        Shard nowhere = Shard.of("s9", "jdbc:postgresql://127.0.0.1:1/none");
        long start = System.nanoTime();
        assertThatThrownBy(() -> pools.borrow(nowhere))
                .isInstanceOf(ShardUnreachableException.class)
                .hasMessageStartingWith("shard s9 - cannot connect within 500 ms (active=0, idle=0");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(600));
    }

    @Test
    void aDeadShardDoesNotMakeOthersWait() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ShardPools slow = pools(SMALL.withConnectionTimeout(Duration.ofSeconds(20)), (connection, any) -> {
            if (any.id().value().equals("slow")) {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
        });
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Connection> stuck = executor.submit(() -> slow.borrow(Shard.of("slow", database.jdbcUrl())));
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            slow.borrow(shard).close();
            leave.countDown();
            stuck.get(20, TimeUnit.SECONDS).close();
        } finally {
            leave.countDown();
            executor.shutdownNow();
            slow.close();
        }
    }

    @Test
    void aChangedAddressReplacesThePoolAndLeavesBorrowedConnectionsAlone() throws SQLException {
        try (Database moved = PostgresServers.shared().get(0).createDatabase("pool")) {
            Connection old = pools.borrow(shard);
            Shard readdressed = new Shard(
                    shard.id(), 0, moved.jdbcUrl(), null, 100, shard.status(), false, shard.incarnation() + 1);
            try (Connection now = pools.borrow(readdressed)) {
                assertThat(name(now)).isEqualTo(moved.name());
            }
            assertThat(name(old)).isEqualTo(database.name());
            old.close();
            eventually(() -> sessions() == 0);
        }
    }

    /** Whoever writes a limit into the address means the whole life of the connection. */
    @Test
    void aSocketTimeoutOfTheAddressHoldsAfterTheCheck() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (FaultProxy network = FaultProxy.to(database.host(), database.port())) {
            Shard limited = Shard.of("s8", network.jdbcUrl(database.name()) + "?socketTimeout=1");
            for (boolean pooled : new boolean[] {true, false}) {
                try (Connection connection = pooled ? pools.borrow(limited) : pools.open(limited, "mover")) {
                    network.blackHole();
                    try {
                        Future<Throwable> statement = executor.submit(() -> catchThrowable(() -> name(connection)));
                        assertThat(statement.get(20, TimeUnit.SECONDS))
                                .isInstanceOf(SQLException.class)
                                .hasRootCauseInstanceOf(SocketTimeoutException.class);
                    } finally {
                        network.heal(); // else a statement that has no limit waits for ever
                    }
                }
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void borrowedConnectionsOutliveTheClosingOfThePools() throws SQLException {
        Connection out = pools.borrow(shard);
        pools.close();
        assertThat(name(out)).isEqualTo(database.name());
        assertThatThrownBy(() -> pools.borrow(shard)).hasCauseInstanceOf(HomeshardClosedException.class);
        assertThatThrownBy(() -> pools.open(shard, "test")).hasCauseInstanceOf(HomeshardClosedException.class);
        assertThatThrownBy(() -> pools.openUnchecked(shard, "test")).hasCauseInstanceOf(HomeshardClosedException.class);
        out.close();
        eventually(() -> sessions() == 0);
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> PoolConfig.defaults().withMaximumSize(0))
                .hasMessage("maximumSize must be 1 to 1000, was 0");
        assertThatThrownBy(() -> PoolConfig.defaults().withConnectionTimeout(Duration.ofMillis(100)))
                .hasMessage("connectionTimeout must be 250 ms to 10 min, was PT0.1S");
        assertThatThrownBy(() -> PoolConfig.defaults().withMaximumWaiting(0))
                .hasMessage("maximumWaiting must be >= 1, was 0");
    }

    private ShardPools pools(PoolConfig config, ConnectionCheck check) {
        return ShardPools.hikari(
                config, any -> new ShardCredentials(database.user(), database.password()), check, Clocks.system());
    }

    private static String name(Connection connection) throws SQLException {
        return Jdbc.one(connection, "SELECT current_database()", row -> row.getString(1));
    }

    private long sessions() {
        try (Connection connection = database.connect()) {
            return Jdbc.one(
                    connection,
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND application_name = 'homeshard'",
                    row -> row.getLong(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long threadsNamed(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("condition holds in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
