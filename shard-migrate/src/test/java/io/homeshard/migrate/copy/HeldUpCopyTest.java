package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.LoadMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A copy that is paused or slowed down for longer than statements and idle transactions may take is not broken off. */
class HeldUpCopyTest {
    private static final String LIMITS =
            "SET statement_timeout = '1s'; SET idle_in_transaction_session_timeout = '600ms'";
    private static final Duration HELD = Duration.ofMillis(1_500);
    private static final String ROWS = """
            CREATE TABLE a (tenant_id text NOT NULL, id int NOT NULL, body text, PRIMARY KEY (tenant_id, id));
            """;

    private static CopyLab lab;

    @BeforeAll
    static void open() {
        lab = new CopyLab();
    }

    @AfterAll
    static void close() throws SQLException {
        lab.close();
    }

    /** Further streams with the same limits. */
    private static final class Limited extends CopyLab.Sessions {
        Limited() {
            super(lab);
        }

        @Override
        public Connection source() throws SQLException {
            return limited(super.source());
        }

        @Override
        public Connection target() throws SQLException {
            return limited(super.target());
        }
    }

    private static Connection limited(Connection connection) throws SQLException {
        TwoShards.run(connection, LIMITS);
        return connection;
    }

    /** Says yes from the time on at which a condition held first, for a while. */
    private static BooleanSupplier pausedFrom(BooleanSupplier condition) {
        AtomicLong until = new AtomicLong();
        return () -> {
            if (until.get() == 0 && condition.getAsBoolean()) {
                until.set(System.nanoTime() + HELD.toNanos());
            }
            return until.get() != 0 && System.nanoTime() - until.get() < 0;
        };
    }

    private static long copied(CopyLab.Scene scene, CopyLimits limits) throws SQLException {
        limited(scene.source());
        limited(scene.target());
        return CopyLab.copy(limits, LoadMode.PLAIN)
                .copy(scene.ends(new Limited()), scene.catalog(), TwoShards.token(CopyLab.TENANT), CopyListener.NONE)
                .tables()
                .stream()
                .mapToLong(CopiedTable::rows)
                .sum();
    }

    private static CopyLab.Scene rows(String schema) throws SQLException {
        CopyLab.Scene scene = lab.scene(schema, ROWS);
        scene.fill("INSERT INTO a SELECT 't', g, repeat('x', 1000) FROM generate_series(1, 500) g");
        return scene;
    }

    @Test
    void pausedBeforeItsFirstRow() throws SQLException {
        CopyLimits limits = CopyLimits.defaults().pausedWhile(pausedFrom(() -> true));

        assertThat(copied(rows("before"), limits)).isEqualTo(500);
    }

    @Test
    void pausedAmidItsRows() throws SQLException {
        AtomicInteger asked = new AtomicInteger();
        CopyLimits limits = CopyLimits.defaults().pausedWhile(pausedFrom(() -> asked.incrementAndGet() > 3));

        assertThat(copied(rows("amid"), limits)).isEqualTo(500);
        assertThat(asked).hasValueGreaterThan(3);
    }

    @Test
    void slowedDown() throws SQLException {
        CopyLimits limits = CopyLimits.defaults().parallelism(1).bytesPerSecond(300_000);

        assertThat(copied(rows("slow"), limits)).isEqualTo(500);
    }

    /** The first stream has nothing left to do, and its snapshot waits for the stream that is paused. */
    @Test
    void pausedInOneStreamWhileTheOthersWait() throws SQLException {
        StringBuilder tables = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            tables.append(
                    "CREATE TABLE t%1$d (tenant_id text NOT NULL, id int, PRIMARY KEY (tenant_id, id));".formatted(i));
        }
        CopyLab.Scene scene = lab.scene("others", tables.toString());
        for (int i = 0; i < 40; i++) {
            scene.fill("INSERT INTO t" + i + " VALUES ('t', 1), ('t', 2)");
        }
        AtomicInteger helped = new AtomicInteger();
        BooleanSupplier paused = pausedFrom(() -> helped.incrementAndGet() > 0);
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        BooleanSupplier alone = () -> helped.get() == 0 && System.nanoTime() - deadline < 0;

        long rows = copied(
                scene,
                CopyLimits.defaults()
                        .parallelism(2)
                        .pausedWhile(() -> Thread.currentThread().getName().startsWith("homeshard-copy")
                                ? paused.getAsBoolean()
                                : alone.getAsBoolean()));

        assertThat(rows).isEqualTo(80);
        assertThat(helped).as("the other stream came to copy").hasPositiveValue();
    }

    /** The limit stands where the copy itself is what takes long, though it may be held up besides. */
    @Test
    void slowOnItsOwnIsStillBrokenOffAndSaysWhatTheLimitIs() throws SQLException {
        CopyLab.Scene scene = lab.scene("own", ROWS);
        TwoShards.run(scene.target(), """
                CREATE FUNCTION own.dawdle(int) RETURNS boolean LANGUAGE sql AS 'SELECT pg_sleep(0.05) IS NOT NULL';
                ALTER TABLE a ADD CHECK (own.dawdle(id));
                """);
        scene.fill("INSERT INTO a SELECT 't', g, repeat('x', 100000) FROM generate_series(1, 200) g");
        CopyLimits limits = CopyLimits.defaults().parallelism(1).bytesPerSecond(Long.MAX_VALUE - 1);

        assertThatThrownBy(() -> copied(scene, limits))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(
                        "table own.a - its copy takes longer than a statement may (limit=PT1S, taken=PT1.")
                .hasMessageContaining("raise the limit");
    }

    /** The COMMIT, which checks deferred keys, is under the server's limit again. */
    @Test
    void limitOfTheSessionIsBackForTheCommit() throws SQLException {
        CopyLab.Scene scene = lab.scene("back", ROWS);
        scene.fill("INSERT INTO a VALUES ('t', 1, 'x')");
        TwoShards.run(scene.target(), """
                CREATE FUNCTION back.look() RETURNS trigger LANGUAGE plpgsql AS
                  'BEGIN UPDATE back.seen SET t = current_setting(''statement_timeout''); RETURN NULL; END';
                CREATE TABLE back.seen (t text);
                INSERT INTO back.seen VALUES ('nothing');
                CREATE CONSTRAINT TRIGGER look AFTER INSERT ON a DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION back.look();
                """);

        assertThat(copied(scene, CopyLimits.defaults().pausedWhile(() -> false)))
                .isOne();
        assertThat(scene.here("SELECT t FROM back.seen")).containsExactly("1s");
    }
}
