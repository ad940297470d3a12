package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import io.homeshard.test.PostgresServers;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PlacementFeedTest {
    private static final String KILL = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND query LIKE '%homeshard%' AND pid <> pg_backend_pid()""";

    private final BlockingQueue<PlacementChange> told = new LinkedBlockingQueue<>();

    @Test
    void tellsChangesAndRemovalsInOrderSoonAfterTheyCommit() throws Exception {
        try (DirectoryFixture fixture = new DirectoryFixture();
                PlacementFeed feed = PlacementFeed.listen(fixture.dataSource, told::add)) {
            assertThat(next()).isEqualTo(new PlacementChange.Reset(0));
            Clocks clocks = Clocks.system();
            long before = clocks.nanoTime();
            fixture.tenant(ACME, S1);
            assertThat(next()).isInstanceOf(PlacementChange.Placed.class);
            PlacementChange.Placed active = (PlacementChange.Placed) next();
            assertThat(Duration.ofNanos(clocks.nanoTime() - before))
                    .isLessThan(Duration.ofMillis(PlacementFeed.HEARTBEAT_MILLIS));
            assertThat(active.placement())
                    .isEqualTo(fixture.directory.find(ACME).orElseThrow());
            assertThat(feed.live()).isTrue();

            Provisioning undone = fixture.admin.beginCreate(TenantId.of("gone"), S2, UUID.randomUUID(), LEASE);
            fixture.admin.undoCreate(undone);
            assertThat(next().mapVersion()).isEqualTo(3);
            assertThat(next()).isEqualTo(new PlacementChange.Removed(TenantId.of("gone"), 4));
        }
    }

    @Test
    void aChangeWhoseNotificationWasLostIsCaughtUp() throws Exception {
        SteppedClocks clocks = new SteppedClocks();
        try (DirectoryFixture fixture = new DirectoryFixture();
                PlacementFeed feed = PlacementFeed.listen(fixture.dataSource, told::add, clocks)) {
            assertThat(next()).isEqualTo(new PlacementChange.Reset(0));
            assertThat(fixture.number(KILL)).isEqualTo(1);
            clocks.awaitSleeper();
            assertThat(feed.live()).isFalse();
            fixture.tenant(ACME, S1); // nobody listens
            assertThat(told).isEmpty();
            clocks.wake();
            assertThat(next().mapVersion()).isEqualTo(1);
            assertThat(next().mapVersion()).isEqualTo(2);
            clocks.wakeAll();
        }
    }

    @Test
    void aConnectionThatHasListenedDoesNotGoBackToItsPoolAlive() throws Exception {
        SteppedClocks clocks = new SteppedClocks();
        try (DirectoryFixture fixture = new DirectoryFixture();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(fixture.dataSource);
            pool.setMaximumPoolSize(1);
            try (PlacementFeed feed = PlacementFeed.listen(pool, told::add, clocks)) {
                next();
                fixture.run("ALTER TABLE homeshard.map_version RENAME TO map_version_gone");
                clocks.awaitSleeper();
                try (Connection other = pool.getConnection()) {
                    assertThat(Jdbc.list(other, "SELECT pg_listening_channels()", row -> row.getString(1)))
                            .isEmpty();
                }
                clocks.wakeAll();
                assertThat(feed.live()).isFalse();
            }
        }
    }

    /** One session from the first look to the end: a pool has nothing to warn of. */
    @Test
    void aSchemaThatIsNotThereYetIsWaitedForAndTheConnectionIsGivenBackAsItCame() throws Exception {
        SteppedClocks clocks = new SteppedClocks();
        try (Database fresh = PostgresServers.shared().get(0).createDatabase("fresh");
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(fresh.dataSource());
            pool.setMaximumPoolSize(1);
            int session = session(pool);
            try (PlacementFeed feed = PlacementFeed.listen(pool, told::add, clocks)) {
                for (int attempt = 0; attempt < 3; attempt++) {
                    clocks.awaitSleeper();
                    assertThat(session(pool)).isEqualTo(session);
                    assertThat(feed.live()).isFalse();
                    if (attempt == 2) {
                        ShardSchemas.migrateDirectory(fresh.dataSource());
                    }
                    clocks.wake();
                }
                assertThat(next()).isEqualTo(new PlacementChange.Reset(0));
                await(feed);
            }
            assertThat(session(pool)).isEqualTo(session);
            try (Connection back = pool.getConnection()) {
                assertThat(Jdbc.list(back, "SELECT pg_listening_channels()", row -> row.getString(1)))
                        .isEmpty();
                assertThat(back.getNetworkTimeout()).isZero();
            }
        }
    }

    private static int session(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1));
        }
    }

    @Test
    void aDirectoryThatWentBackInTimeIsAReset() throws Exception {
        try (DirectoryFixture fixture = new DirectoryFixture();
                PlacementFeed feed = PlacementFeed.listen(fixture.dataSource, told::add)) {
            next();
            fixture.tenant(ACME, S1);
            next();
            next();
            fixture.run("UPDATE homeshard.map_version SET version = 1");
            assertThat(next()).isEqualTo(new PlacementChange.Reset(1));
            fixture.run("UPDATE homeshard.directory_meta SET incarnation = 2");
            assertThat(next()).isEqualTo(new PlacementChange.Reset(1));
            assertThat(feed.live()).isTrue();
        }
    }

    @Test
    void aSinkThatFailsDoesNotEndTheFeed() throws Exception {
        try (DirectoryFixture fixture = new DirectoryFixture();
                PlacementFeed feed = PlacementFeed.listen(fixture.dataSource, change -> {
                    told.add(change);
                    throw new IllegalStateException("sink");
                })) {
            next();
            fixture.tenant(ACME, S1);
            assertThat(next().mapVersion()).isEqualTo(1);
            assertThat(next().mapVersion()).isEqualTo(2);
            assertThat(feed.live()).isTrue();
        }
    }

    @Test
    void closeEndsItPromptlyWithOrWithoutADirectory() {
        Clocks clocks = Clocks.system();
        Set<Thread> before = feedThreads();
        Database empty = PostgresServers.shared().get(0).createDatabase("empty");
        PlacementFeed lost = PlacementFeed.listen(empty.dataSource(), told::add);
        lost.close();
        try (DirectoryFixture fixture = new DirectoryFixture()) {
            PlacementFeed feed = PlacementFeed.listen(fixture.dataSource, told::add);
            await(feed);
            long start = clocks.nanoTime();
            feed.close();
            assertThat(Duration.ofNanos(clocks.nanoTime() - start)).isLessThan(Duration.ofMillis(1_500));
            assertThat(feed.live()).isFalse();
        }
        empty.close();
        assertThat(feedThreads()).isSubsetOf(before);
    }

    private static Set<Thread> feedThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("homeshard-feed"))
                .collect(Collectors.toSet());
    }

    private static void await(PlacementFeed feed) {
        while (!feed.live()) {
            Thread.yield();
        }
    }

    private PlacementChange next() throws InterruptedException {
        PlacementChange change = told.poll(20, TimeUnit.SECONDS);
        assertThat(change).as("a change was told").isNotNull();
        return change;
    }

    /** Clocks whose sleeper sleeps until the test lets it go on. */
    private static final class SteppedClocks implements Clocks {
        private final Semaphore sleeping = new Semaphore(0);
        private final Semaphore wakes = new Semaphore(0);

        void awaitSleeper() throws InterruptedException {
            assertThat(sleeping.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        }

        void wake() {
            wakes.release();
        }

        void wakeAll() {
            wakes.release(1_000);
        }

        @Override
        public Instant now() {
            return Clocks.system().now();
        }

        @Override
        public long nanoTime() {
            return Clocks.system().nanoTime();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            sleeping.release();
            wakes.acquire();
        }
    }
}
