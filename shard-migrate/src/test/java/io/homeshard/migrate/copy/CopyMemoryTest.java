package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.test.Database;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much memory a copy needs: measured by the heap of a JVM of its own. */
class CopyMemoryTest {
    private static final int MB = 1_000_000;
    private static final long MINUTES = 4;

    private static CopyLab lab;

    @BeforeAll
    static void open() {
        lab = new CopyLab();
    }

    @AfterAll
    static void close() throws SQLException {
        lab.close();
    }

    private static String copy(String heap, CopyLab.Scene scene, long maxRowBytes)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                CopyChild.class.getName()));
        for (int index = 0; index < 2; index++) {
            Database shard = lab.shard(index);
            command.addAll(List.of(shard.jdbcUrl(), shard.user(), shard.password()));
        }
        command.addAll(List.of(scene.schema(), String.valueOf(maxRowBytes)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
            return said.strip();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Rows of nearly 8 MB, in both forms, in several tables at once, all together more than the heap by far. */
    private static void fits(String schema, int rows) throws Exception {
        CopyLab.Scene scene = lab.scene(schema, """
                CREATE TYPE kind AS ENUM ('x');
                CREATE TABLE bin(tenant_id text, id int, v bytea);
                CREATE TABLE bin2(tenant_id text, id int, v text);
                CREATE TABLE txt(tenant_id text, id int, k kind, v text);
                ALTER TABLE bin ALTER v SET STORAGE EXTERNAL;
                ALTER TABLE bin2 ALTER v SET STORAGE EXTERNAL;
                ALTER TABLE txt ALTER v SET STORAGE EXTERNAL;
                """);
        scene.fill("INSERT INTO bin SELECT 't', i, convert_to(repeat('x', 8000000), 'UTF8') FROM generate_series(1, "
                + rows + ") i; INSERT INTO bin2 SELECT 't', i, repeat('y', 8000000) FROM generate_series(1, " + rows
                + ") i; INSERT INTO txt SELECT 't', i, 'x', repeat('z', 8000000) FROM generate_series(1, " + rows
                + ") i");
        assertThat(copy("64m", scene, 8L << 20)).startsWith("rows " + 3 * rows + " bytes");
        assertThat(scene.here("SELECT sum(length(v)) FROM bin")).containsExactly(String.valueOf(8L * MB * rows));
    }

    @Test
    void rowsOfEightMegabytesFitIntoAHeapOf64() throws Exception {
        fits("eight", 4);
    }

    @Test
    @Tag("long")
    void rowsOfEightMegabytesFitHoweverManyThereAre() throws Exception {
        fits("many", 60);
    }

    @Test
    @Tag("long")
    void d28RowsOfHundredsOfMegabytes() throws Exception {
        CopyLab.Scene scene = lab.scene("d28", """
                CREATE TABLE big(tenant_id text, id int, b bytea, t text);
                ALTER TABLE big ALTER b SET STORAGE EXTERNAL, ALTER t SET STORAGE EXTERNAL;
                """);
        scene.fill("INSERT INTO big VALUES ('t', 1, convert_to(repeat('x', 300000000), 'UTF8'), NULL),"
                + " ('t', 2, NULL, repeat('y', 400000000))");
        // too small a limit, or too small a heap: refused in words, source and target unharmed
        assertThat(copy("256m", scene, 8L << 20)).startsWith("failed").contains("table d28.big");
        assertThat(copy("256m", scene, 1L << 30))
                .startsWith("failed 53200")
                .contains("table d28.big - rows do not fit into the heap");
        assertThat(scene.here("SELECT count(*) FROM big")).containsExactly("0");
        // four times the longest row
        assertThat(copy("1600m", scene, 1L << 30)).startsWith("rows 2 ");
        assertThat(scene.here("SELECT coalesce(length(b), length(t)) FROM big ORDER BY id"))
                .containsExactly("300000000", "400000000");
    }

    /** 600 MB of bytea are 1.2 GB in hexadecimal, which PostgreSQL cannot send; in binary it can. */
    @Test
    @Tag("long")
    void d28RowWhoseTextFormIsBeyondPostgresIsNamed() throws Exception {
        CopyLab.Scene scene = lab.scene("d28_text", """
                CREATE TYPE kind AS ENUM ('x');
                CREATE TABLE huge(tenant_id text, k kind, b bytea);
                ALTER TABLE huge ALTER b SET STORAGE EXTERNAL;
                """);
        scene.fill("INSERT INTO huge VALUES ('t', 'x', convert_to(repeat('x', 600000000), 'UTF8'))");
        assertThat(copy("256m", scene, 1L << 30))
                .startsWith("failed")
                .contains("table d28_text.huge")
                .contains("longer than PostgreSQL can send or take at once (limit=1 GB)");
        assertThat(scene.here("SELECT count(*) FROM huge")).containsExactly("0");
        assertThat(TwoShards.query(scene.source(), "SELECT count(*) FROM huge")).containsExactly("1");
    }
}
