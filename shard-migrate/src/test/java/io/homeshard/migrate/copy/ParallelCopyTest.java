package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several streams at once: in one snapshot, each row once, parents before children. */
class ParallelCopyTest {
    private static final int STREAMS = 4;

    private static CopyLab lab;

    @BeforeAll
    static void open() {
        lab = new CopyLab();
    }

    @AfterAll
    static void close() throws SQLException {
        lab.close();
    }

    /** Remembers which threads spoke, and whether two did at once. */
    private static final class Threads implements CopyListener {
        private final Set<String> names = new ConcurrentSkipListSet<>();
        private final AtomicBoolean inside = new AtomicBoolean();
        private final AtomicBoolean overlapped = new AtomicBoolean();
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger copied = new AtomicInteger();

        private void heard() {
            if (inside.getAndSet(true)) {
                overlapped.set(true);
            }
            names.add(Thread.currentThread().getName());
            inside.set(false);
        }

        @Override
        public void tableStarted(TableName table) {
            started.incrementAndGet();
            heard();
        }

        @Override
        public void progress(TableName table, long rows, long bytes) {
            heard();
        }

        @Override
        public void tableCopied(CopiedTable table) {
            copied.incrementAndGet();
            heard();
        }
    }

    @Test
    void d29TableWithoutKeyIsCopiedInRangesWithEachDuplicate() throws SQLException {
        keyless("d29", 30_000);
    }

    @Test
    @Tag("long")
    void d29TableWithoutKeyAtItsStatedSize() throws SQLException {
        keyless("d29_long", 100_000);
    }

    private static void keyless(String schema, int rows) throws SQLException {
        CopyLab.Scene scene = lab.scene(schema, "CREATE TABLE log(tenant_id text, at date, msg text)");
        scene.fill("INSERT INTO log SELECT CASE WHEN i % 4 = 0 THEN 'other' ELSE 't' END, date '2025-01-01' + i % 7,"
                + " repeat(chr(65 + i % 5), 250) FROM generate_series(1, " + rows + ") i");
        Threads threads = new Threads();
        CopyLab.Sessions sessions = new CopyLab.Sessions(lab);

        CopyReport report = CopyLab.copy(LoadMode.PLAIN, STREAMS)
                .copy(scene.ends(sessions), scene.catalog(), TwoShards.token("t"), threads);

        String multiset = "SELECT concat_ws('|', at, msg, count(*)) FROM log WHERE tenant_id = 't' GROUP BY at, msg"
                + " ORDER BY at, msg";
        assertThat(scene.here(multiset)).hasSize(35).isEqualTo(scene.there(multiset));
        assertThat(scene.here("SELECT count(*) FROM log")).containsExactly(String.valueOf(report.rows()));
        assertThat(report.rows()).isEqualTo(rows * 3L / 4);
        assertThat(threads.names).hasSizeBetween(2, STREAMS).anyMatch(name -> name.startsWith("homeshard-copy-"));
        assertThat(threads.overlapped).isFalse();
        assertThat(threads.started).hasValue(1);
        assertThat(threads.copied).hasValue(1);
        assertThat(sessions.count()).isEqualTo(2 * (STREAMS - 1));
        assertThat(sessions.allClosed()).isTrue();
    }

    @Test
    void smallCopyOpensNoFurtherSessions() throws SQLException {
        CopyLab.Scene scene = lab.scene("small", "CREATE TABLE a(tenant_id text); CREATE TABLE b(tenant_id text)");
        scene.fill("INSERT INTO a VALUES ('t'), ('t'); INSERT INTO b VALUES ('t')");
        CopyLab.Sessions sessions = new CopyLab.Sessions(lab);
        assertThat(TenantCopy.create()
                        .copy(scene.ends(sessions), scene.catalog(), TwoShards.token("t"), CopyListener.NONE)
                        .rows())
                .isEqualTo(3);
        assertThat(sessions.count()).isZero();
    }

    @Test
    void rangesPayOnlyWhereAGoodPartOfTheTableIsTheTenants() throws SQLException {
        CopyLab.Scene scene = lab.scene("share", """
                CREATE TABLE shared(tenant_id text, id int, v text, PRIMARY KEY (tenant_id, id));
                CREATE TABLE own(tenant_id text, id int, v text, PRIMARY KEY (tenant_id, id));
                """);
        scene.fill("""
                INSERT INTO shared SELECT CASE WHEN i % 50 = 0 THEN 't' ELSE 'other' END, i, repeat('x', 200)
                  FROM generate_series(1, 5000) i;
                INSERT INTO own SELECT 't', i, repeat('x', 200) FROM generate_series(1, 5000) i;
                """);
        TwoShards.run(scene.source(), "BEGIN; SET LOCAL homeshard.copy_tenant = 't'");
        List<TenantTable> tables = scene.catalog().tables();
        assertThat(new BigTables(scene.source(), 2, CopyLab.RANGE_BYTES).divide(tables))
                .containsOnlyKeys(TableName.parse("share.own"));
        assertThat(new BigTables(scene.source(), 1, CopyLab.RANGE_BYTES).divide(tables))
                .isEmpty();
        assertThat(TenantCopyTest.plan(scene.source(), scene.target(), tables.get(0), new RowRange(3, 9)))
                .contains("Tid Range Scan");
    }

    @Test
    void rangesCoverAllBlocksOnce() {
        assertThat(RowRange.split(10, 3))
                .containsExactly(new RowRange(0, 3), new RowRange(3, 6), new RowRange(6, RowRange.OPEN));
        assertThat(RowRange.split(10, 1)).containsExactly(RowRange.ALL);
    }

    /** Each session beside the first is opened after rows were added that the snapshot must not show. */
    @Test
    void allStreamsReadTheSnapshotOfTheFirst() throws SQLException {
        StringBuilder ddl = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            ddl.append("CREATE TABLE t").append(i).append("(tenant_id text, v int);");
        }
        CopyLab.Scene scene = lab.scene("snapshot", ddl.toString());
        scene.fill("INSERT INTO t0 SELECT 't', 1 FROM generate_series(1, 20)");
        CopyLab.Sessions late = new CopyLab.Sessions(lab) {
            @Override
            public Connection source() throws SQLException {
                try (Connection other = lab.connect(0)) {
                    for (int i = 0; i < 40; i++) {
                        TwoShards.run(other, "INSERT INTO snapshot.t" + i + " VALUES ('t', 2)");
                    }
                }
                return super.source();
            }
        };
        // the calling thread goes on when another has copied a table
        CountDownLatch joined = new CountDownLatch(1);
        CopyListener listener = new CopyListener() {
            @Override
            public void tableCopied(CopiedTable copied) {
                if (Thread.currentThread().getName().startsWith("homeshard-copy")) {
                    joined.countDown();
                }
            }
        };
        CopyEnds ends = new CopyEnds(scene.source(), scene.target(), waiting(joined), late);
        CopyReport report = TenantCopy.create().copy(ends, scene.catalog(), TwoShards.token("t"), listener);
        assertThat(joined.getCount()).isZero();
        assertThat(report.rows()).isEqualTo(20);
        assertThat(scene.here("SELECT count(*) FROM t39")).containsExactly("0");
    }

    /** Admits every mover, the calling thread's when the latch is open. */
    private static WriteGuard waiting(CountDownLatch latch) {
        Thread caller = Thread.currentThread();
        return (WriteGuard) Proxy.newProxyInstance(
                WriteGuard.class.getClassLoader(), new Class<?>[] {WriteGuard.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread() == caller) {
                        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
                    }
                    return null;
                });
    }

    @Test
    void childrenWaitForTheirParentsInAllStreams() throws SQLException {
        StringBuilder ddl = new StringBuilder();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            String parent = i == 0 ? "" : " REFERENCES t" + (i - 1) / 3;
            ddl.append("CREATE TABLE t%d(tenant_id text, id int PRIMARY KEY%s);".formatted(i, parent));
            ddl.append("CREATE TABLE z%d(tenant_id text, id int REFERENCES t%d);".formatted(i, i));
            rows.append("INSERT INTO t%d SELECT 't', i FROM generate_series(1, 50) i;".formatted(i));
            rows.append("INSERT INTO z%d SELECT 't', i FROM generate_series(1, 50) i;".formatted(i));
        }
        CopyLab.Scene scene = lab.scene("family", ddl.toString());
        scene.fill(rows.toString());
        Threads threads = new Threads();
        assertThat(scene.copy(CopyLab.copy(LoadMode.PLAIN, STREAMS), threads).rows())
                .isEqualTo(2000);
        assertThat(threads.copied).hasValue(40);
    }

    @Test
    void d7RowsThatReferToRowsOfTheirTableTravelInOneStream() throws SQLException {
        String emp = "CREATE TABLE emp(id int PRIMARY KEY, tenant_id text, boss int REFERENCES emp)";
        String rows = """
                INSERT INTO emp SELECT i, 't', least(i + 7, 10000) FROM generate_series(1, 10000) i;
                INSERT INTO emp VALUES (20001, 't', 20002), (20002, 't', 20001), (20003, 't', 20003);
                """;
        CopyLab.Scene plain = lab.scene("d7", emp);
        plain.fill(rows);
        assertThat(plain.copy(CopyLab.copy(LoadMode.PLAIN, STREAMS), CopyListener.NONE)
                        .rows())
                .isEqualTo(10_003);

        // where keys are not checked there is no need to wait
        CopyLab.Scene replica = lab.scene("d7_replica", emp);
        replica.fill(rows);
        assertThat(CopyStages.divisible(replica.catalog(), LoadMode.REPLICA)).hasSize(1);
        assertThat(CopyStages.divisible(plain.catalog(), LoadMode.PLAIN)).isEmpty();
        assertThat(replica.copy(CopyLab.copy(LoadMode.REPLICA, STREAMS), CopyListener.NONE)
                        .rows())
                .isEqualTo(10_003);
    }

    private static final String CIRCLE = """
            CREATE TABLE a(tenant_id text, id int PRIMARY KEY, b int);
            CREATE TABLE b(tenant_id text, id int PRIMARY KEY, a int NOT NULL REFERENCES a %1$s);
            ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b %1$s;
            """;

    private static final String CIRCLE_ROWS = """
            BEGIN; %s
            INSERT INTO a SELECT 't', i, i FROM generate_series(1, 100) i;
            INSERT INTO b SELECT 't', i, i FROM generate_series(1, 100) i; COMMIT;
            """;

    @Test
    void circleOfDeferrableKeysIsOneTransaction() throws SQLException {
        CopyLab.Scene scene = lab.scene("circle", CIRCLE.formatted("DEFERRABLE"));
        scene.fill(CIRCLE_ROWS.formatted("SET CONSTRAINTS ALL DEFERRED;"));
        Set<String> early = new TreeSet<>();
        CopyListener sent = new CopyListener() {
            @Override
            public void tableSent(TableName table) {
                try {
                    early.addAll(scene.here("SELECT id FROM a UNION SELECT id FROM b"));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        assertThat(scene.copy(CopyLab.copy(LoadMode.PLAIN, STREAMS), sent).rows())
                .isEqualTo(200);
        assertThat(early).isEmpty();
    }

    @Test
    void circleAndTriggersAreNoMatterInReplicaMode() throws SQLException {
        CopyLab.Scene scene = lab.scene("circle_replica", CIRCLE.formatted("") + """
                CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''fired''; END';
                """);
        scene.fill(CIRCLE_ROWS.formatted("SET LOCAL session_replication_role = replica;"));
        TwoShards.run(
                scene.target(),
                "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION circle_replica.no()");
        assertThat(scene.copy(CopyLab.copy(LoadMode.REPLICA, STREAMS), CopyListener.NONE)
                        .rows())
                .isEqualTo(200);
    }

    @Test
    void d34KeyThatFailsAtCommitFailsTheCopy() throws SQLException {
        CopyLab.Scene scene = lab.scene("d34", """
                CREATE TABLE dp(id int PRIMARY KEY);
                CREATE TABLE dc(tenant_id text, p int REFERENCES dp DEFERRABLE INITIALLY DEFERRED);
                """);
        scene.fill("INSERT INTO dp VALUES (1); INSERT INTO dc VALUES ('t', 1)");
        assertThatThrownBy(() -> scene.copy(CopyLab.copy(LoadMode.PLAIN, 1), CopyListener.NONE))
                .isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("23503");
        assertThat(scene.here("SELECT count(*) FROM dc")).containsExactly("0");
    }
}
