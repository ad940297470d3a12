package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy leaves when something breaks in the middle of it. */
class BrokenCopyTest {
    private static final int MEGABYTES = Integer.getInteger("homeshard.test.copy.megabytes", 10);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int POOL = 3;

    private static CopyLab lab;

    @BeforeAll
    static void open() {
        lab = new CopyLab();
    }

    @AfterAll
    static void close() throws SQLException {
        lab.close();
    }

    /** Pools of which a copy uses connections, as an application might hand them in. */
    private static class Pools implements CopySessions, AutoCloseable {
        private final List<HikariDataSource> pools = new ArrayList<>();

        Pools() {
            for (int index = 0; index < 2; index++) {
                HikariDataSource pool = new HikariDataSource();
                pool.setDataSource(lab.shard(index).dataSource());
                pool.setMaximumPoolSize(POOL);
                pool.setConnectionTimeout(LIMIT.toMillis());
                pools.add(pool);
            }
        }

        @Override
        public Connection source() throws SQLException {
            return pools.get(0).getConnection();
        }

        @Override
        public Connection target() throws SQLException {
            return pools.get(1).getConnection();
        }

        @Override
        public void close(Connection session) {
            try {
                session.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Uses every connection of both pools at once, each for a plain query whose answer is its own. */
        void assertSound() throws SQLException {
            for (HikariDataSource pool : pools) {
                List<Connection> all = new ArrayList<>();
                for (int i = 0; i < POOL; i++) {
                    all.add(pool.getConnection());
                    assertThat(TwoShards.query(all.get(i), "SELECT 'answer " + i + "'"))
                            .containsExactly("answer " + i);
                }
                for (Connection connection : all) {
                    connection.close();
                }
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }

        @Override
        public void close() {
            pools.forEach(HikariDataSource::close);
        }
    }

    private static CopyLab.Scene filled(String schema, int megabytes) throws SQLException {
        CopyLab.Scene scene = lab.scene(schema, "CREATE TABLE big(tenant_id text, id int, v text)");
        scene.fill("INSERT INTO big SELECT 't', i, repeat('x', 1000) FROM generate_series(1, " + megabytes + "000) i");
        return scene;
    }

    /** Copies with connections of pools; returns what it threw. */
    private static Throwable broken(CopyLab.Scene scene, int streams, CopyListener listener) throws SQLException {
        return broken(scene, streams, listener, new Pools());
    }

    private static Throwable broken(CopyLab.Scene scene, int streams, CopyListener listener, Pools given)
            throws SQLException {
        try (Pools pools = given) {
            Throwable thrown;
            long begun = System.nanoTime();
            try (Connection source = pools.source();
                    Connection target = pools.target()) {
                CopyEnds ends = new CopyEnds(source, target, TwoShards.OPEN, pools);
                thrown = catchThrowable(() -> CopyLab.copy(LoadMode.PLAIN, streams)
                        .copy(ends, scene.catalog(), TwoShards.token("t"), listener));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
            pools.assertSound();
            if (streams == 1) {
                // ranges are committed one by one; what they brought is swept before another attempt
                assertThat(scene.here("SELECT count(*) FROM big")).containsExactly("0");
            }
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("homeshard-copy"));
            return thrown;
        }
    }

    private static void killAfterAMegabyte(String schema, int megabytes, int streams) throws SQLException {
        CopyLab.Scene scene = filled(schema, megabytes);
        AtomicBoolean killed = new AtomicBoolean();
        CopyListener killer = new CopyListener() {
            @Override
            public void progress(TableName table, long rows, long bytes) {
                if (!killed.getAndSet(true)) {
                    try {
                        assertThat(scene.here("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                        + " WHERE query LIKE 'COPY \"" + schema
                                        + "\"%FROM STDIN%' AND pid <> pg_backend_pid()"))
                                .contains("t");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        };
        Throwable thrown = broken(scene, streams, killer);
        assertThat(thrown)
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("table " + schema + ".big - copy broke");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void d48TargetThatDiesAfterAMegabyteTakesBothConnectionsOutOfTheirPools(int streams) throws SQLException {
        killAfterAMegabyte("d48_kill_" + streams, MEGABYTES, streams);
    }

    @Test
    @Tag("long")
    void d48TargetThatDiesAtItsStatedSize() throws SQLException {
        killAfterAMegabyte("d48_long", 200, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void d48ListenerThatThrowsStopsAllStreams(int streams) throws SQLException {
        CopyLab.Scene scene = filled("d48_throw_" + streams, MEGABYTES);
        AtomicLong rows = new AtomicLong();
        CopyListener thrower = new CopyListener() {
            @Override
            public void progress(TableName table, long sofar, long bytes) {
                rows.set(sofar);
                if (bytes > 5 << 20) {
                    throw new IllegalStateException("enough");
                }
            }
        };
        assertThat(broken(scene, streams, thrower))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("enough");
        assertThat(rows.get()).isBetween(5_000L, 9_000L);
    }

    /** A pool may refuse to take back what was broken off while it was in use. */
    @Test
    void d48SessionThatDoesNotCloseKeepsNoOther() throws SQLException {
        CopyLab.Scene scene = filled("d48_close", MEGABYTES);
        AtomicInteger refused = new AtomicInteger();
        Pools grumbling = new Pools() {
            @Override
            public void close(Connection session) {
                super.close(session);
                refused.incrementAndGet();
                throw new IllegalStateException("does not close");
            }
        };
        CopyListener thrower = new CopyListener() {
            @Override
            public void progress(TableName table, long sofar, long bytes) {
                if (bytes > 5 << 20) {
                    throw new IllegalStateException("enough");
                }
            }
        };
        assertThat(broken(scene, 3, thrower, grumbling)).hasMessage("enough");
        assertThat(refused.get()).isBetween(1, 4);
    }

    /** Notices for each row, which nobody reads while rows are sent, would fill the line and stop both sides. */
    @Test
    void triggersThatTalkDoNotBlockTheStream() throws SQLException {
        CopyLab.Scene scene = filled("talk", 3);
        TwoShards.run(scene.target(), """
                CREATE FUNCTION talk() RETURNS trigger LANGUAGE plpgsql AS
                  'BEGIN RAISE WARNING ''%'', repeat(''blah '', 1000); RETURN NEW; END';
                CREATE TRIGGER talk BEFORE INSERT ON big FOR EACH ROW EXECUTE FUNCTION talk()
                """);
        assertThat(scene.copy(CopyLab.copy(LoadMode.PLAIN, 1), CopyListener.NONE)
                        .rows())
                .isEqualTo(3000);
    }

    @Test
    void rowBeyondTheLimitIsNamed() throws SQLException {
        CopyLab.Scene scene = filled("wide", 1);
        scene.fill("INSERT INTO big VALUES ('t', 0, repeat('y', 100000))");
        assertThatThrownBy(() -> scene.copy(
                        CopyLab.copy(CopyLimits.defaults().parallelism(1).maxRowBytes(50_000), LoadMode.PLAIN),
                        CopyListener.NONE))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("table wide.big - a row is longer than the limit (maxRowBytes=50000, bytes=1000")
                .hasMessageContaining("heap");
        assertThat(scene.here("SELECT count(*) FROM big")).containsExactly("0");
        assertThat(scene.source().isClosed()).isTrue();
    }

    /** Row contents are in the cause, for whoever may see them, but not in the message. */
    @Test
    void messageOfABrokenCopyHoldsNoData() throws SQLException {
        CopyLab.Scene scene = lab.scene("secret", "CREATE TABLE big(tenant_id text, v text UNIQUE)");
        scene.fill("INSERT INTO big VALUES ('t', 'secret value')");
        TwoShards.run(scene.target(), "INSERT INTO big VALUES ('other', 'secret value')");
        assertThatThrownBy(() -> scene.copy(TenantCopy.create(), CopyListener.NONE))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("table secret.big - copy broke")
                .hasMessageContaining("big_v_key")
                .message()
                .doesNotContain("secret value");
    }

    @Test
    void pausedCopyReadsNothingUntilItMayGoOn() throws Exception {
        CopyLab.Scene scene = filled("pause", 2);
        AtomicBoolean paused = new AtomicBoolean(true);
        CountDownLatch waited = new CountDownLatch(3);
        AtomicInteger moved = new AtomicInteger();
        CopyListener listener = new CopyListener() {
            @Override
            public void waiting() {
                waited.countDown();
            }

            @Override
            public void progress(TableName table, long rows, long bytes) {
                moved.incrementAndGet();
            }
        };
        AtomicReference<CopyReport> report = new AtomicReference<>();
        Thread copying = new Thread(() -> {
            try {
                report.set(scene.copy(
                        CopyLab.copy(CopyLimits.defaults().pausedWhile(paused::get), LoadMode.PLAIN), listener));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        copying.start();
        assertThat(waited.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(moved).hasValue(0);
        assertThat(
                        scene.here(
                                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY \"pause\"%' AND state = 'active'"))
                .containsExactly("0");
        paused.set(false);
        copying.join(30_000);
        assertThat(report.get()).isNotNull().extracting(CopyReport::rows).isEqualTo(2000L);
    }

    /** A move that is cancelled while its copy pauses, or crawls, ends at once. */
    @Test
    void waitingCopyCanBeStopped() throws SQLException {
        CopyLab.Scene scene = filled("stopped", 2);
        CopyListener impatient = new CopyListener() {
            @Override
            public void waiting() {
                throw new IllegalStateException("cancelled");
            }
        };
        for (CopyLimits limits : List.of(
                CopyLimits.defaults().pausedWhile(() -> true),
                CopyLimits.defaults().bytesPerSecond(100))) {
            CopyLab.Scene again = new CopyLab.Scene(lab, scene.schema(), lab.connect(0), lab.connect(1));
            assertThatThrownBy(() -> again.copy(CopyLab.copy(limits, LoadMode.PLAIN), impatient))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("cancelled");
        }
        assertThat(scene.here("SELECT count(*) FROM big")).containsExactly("0");
    }

    @Test
    void interruptedCopyEnds() throws SQLException {
        CopyLab.Scene scene = filled("interrupted", 2);
        Thread caller = Thread.currentThread();
        CopyListener interrupting = new CopyListener() {
            @Override
            public void waiting() {
                caller.interrupt();
            }
        };
        assertThatThrownBy(() -> scene.copy(
                        CopyLab.copy(CopyLimits.defaults().bytesPerSecond(1000), LoadMode.PLAIN), interrupting))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
