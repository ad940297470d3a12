package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Damages one thing at a time on the target, each at rows chosen by a seed, and demands that the digest sees it. */
class DigestMutationTest {
    private static final long SEED = 20_250_731L;
    private static final int ROUNDS = 8;
    private static final String TABLE = """
            CREATE TABLE app.t(tenant_id text, id int, amount numeric, txt text, f float8, raw bytea, ts timestamptz,
              doc json, twice int GENERATED ALWAYS AS (id * 2) STORED);
            CREATE INDEX ON app.t(tenant_id);
            """;
    private static final String ROWS = """
            INSERT INTO app.t SELECT 't', i, i + 0.5, 'row ' || i, i / 3.0, decode(md5(i::text), 'hex'),
                timestamptz '2025-01-01 00:00+00' + i * interval '1 hour', json_build_object('i', i)
              FROM generate_series(1, 200) i;
            UPDATE app.t SET txt = '' WHERE id % 5 = 0;
            UPDATE app.t SET amount = 1.0 WHERE id % 7 = 0;
            UPDATE app.t SET f = 0.1::float8 + 0.2::float8 WHERE id % 3 = 0;
            INSERT INTO app.t SELECT 'other', i, i, 'x', 0, '', now(), '{}' FROM generate_series(1, 50) i;
            """;

    /** %1$d and %2$d are two different rows, %3$d a bit of sixteen bytes; ids are rounded to where they apply. */
    private static final Map<String, String> MUTATIONS = mutations();

    private static Map<String, String> mutations() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("values of two rows swapped", """
                UPDATE app.t a SET raw = b.raw FROM app.t b WHERE a.tenant_id = 't' AND b.tenant_id = 't'
                  AND a.id IN (%1$d, %2$d) AND b.id = %1$d + %2$d - a.id""");
        all.put(
                "row twice",
                "INSERT INTO app.t(tenant_id,id,amount,txt,f,raw,ts,doc) SELECT"
                        + " tenant_id,id,amount,txt,f,raw,ts,doc FROM app.t WHERE tenant_id = 't' AND id = %1$d");
        all.put("row twice, another missing", """
                WITH gone AS (DELETE FROM app.t WHERE tenant_id = 't' AND id = %2$d)
                INSERT INTO app.t(tenant_id,id,amount,txt,f,raw,ts,doc)
                SELECT tenant_id,id,amount,txt,f,raw,ts,doc FROM app.t WHERE tenant_id = 't' AND id = %1$d""");
        all.put("row missing", "DELETE FROM app.t WHERE tenant_id = 't' AND id = %1$d");
        all.put("extra row", "INSERT INTO app.t(tenant_id, id) VALUES ('t', 1000 + %1$d)");
        all.put("NULL instead of ''", "UPDATE app.t SET txt = NULL WHERE tenant_id = 't' AND id = (%1$d / 5 + 1) * 5");
        all.put(
                "1.00 instead of 1.0",
                "UPDATE app.t SET amount = 1.00 WHERE tenant_id = 't' AND id = (%1$d / 7 + 1) * 7");
        all.put(
                "0.3 instead of 0.1 + 0.2",
                "UPDATE app.t SET f = 0.3 WHERE tenant_id = 't' AND id = (%1$d / 3 + 1) * 3");
        all.put(
                "one bit of bytes",
                "UPDATE app.t SET raw = set_bit(raw, %3$d, 1 - get_bit(raw, %3$d))"
                        + " WHERE tenant_id = 't' AND id = %1$d");
        all.put("row of another tenant", "UPDATE app.t SET tenant_id = 'other' WHERE tenant_id = 't' AND id = %1$d");
        all.put("foreign row", "UPDATE app.t SET tenant_id = 't' WHERE tenant_id = 'other' AND id = %1$d %% 50 + 1");
        all.put(
                "instant off by an hour",
                "UPDATE app.t SET ts = ts + interval '1 hour' WHERE tenant_id = 't' AND id = %1$d");
        all.put("blank in a document", "UPDATE app.t SET doc = '{\"i\":%1$d}' WHERE tenant_id = 't' AND id = %1$d");
        all.put("letter case", "UPDATE app.t SET txt = upper(txt) WHERE tenant_id = 't' AND id = %1$d / 5 * 5 + 1");
        return all;
    }

    @Test
    void everyMutationIsSeen() throws SQLException {
        Random random = new Random(SEED);
        try (TwoShards shards = TwoShards.inApp(TABLE)) {
            TwoShards.run(shards.source(), ROWS);
            TwoShards.run(shards.target(), ROWS);
            // a role or database with such defaults must not hide anything
            TwoShards.run(shards.source(), "SET extra_float_digits = 0; SET TimeZone = 'Asia/Tokyo'");
            TwoShards.run(shards.target(), "SET extra_float_digits = 0; SET bytea_output = 'escape'");
            assertThat(shards.compare("t").differences()).isEmpty();
            for (Map.Entry<String, String> mutation : MUTATIONS.entrySet()) {
                for (int round = 0; round < ROUNDS; round++) {
                    List<Integer> ids = ids(random);
                    String sql = mutation.getValue().formatted(ids.get(0), ids.get(1), random.nextInt(128));
                    List<TableDifference> seen = afterChange(shards, sql);
                    assertThat(seen)
                            .as("%s (seed=%d, sql=%s)", mutation.getKey(), SEED, sql)
                            .hasSize(1);
                }
            }
            assertThat(shards.compare("t").differences()).isEmpty();
        }
    }

    /** The digest is asked outside the change's transaction, since it wants one of its own. */
    private static List<TableDifference> afterChange(TwoShards shards, String sql) throws SQLException {
        Connection target = shards.target();
        TwoShards.run(target, "CREATE TABLE app.kept AS SELECT * FROM app.t");
        TwoShards.run(target, "ALTER TABLE app.kept ALTER tenant_id DROP NOT NULL");
        try {
            TwoShards.run(target, sql);
            return DigestComparison.compare(
                            TenantDigest.read(shards.source(), shards.catalog(), io.homeshard.model.TenantId.of("t")),
                            TenantDigest.read(target, shards.catalog(), io.homeshard.model.TenantId.of("t")))
                    .differences();
        } finally {
            TwoShards.run(
                    target,
                    "DELETE FROM app.t; INSERT INTO app.t(tenant_id,id,amount,txt,f,raw,ts,doc)"
                            + " SELECT tenant_id,id,amount,txt,f,raw,ts,doc FROM app.kept; DROP TABLE app.kept");
        }
    }

    private static List<Integer> ids(Random random) {
        List<Integer> ids =
                new java.util.ArrayList<>(IntStream.rangeClosed(1, 190).boxed().toList());
        Collections.shuffle(ids, random);
        return ids.subList(0, 2);
    }

    @Test
    void physicalOrderOfColumnsAndRowsDoesNotMatter() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id text, a int, b text)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1, 'x'), ('t', 2, 'y')");
            TwoShards.run(
                    shards.target(),
                    "DROP TABLE app.t; CREATE TABLE app.t(b text, gone int, tenant_id text, a int);"
                            + " ALTER TABLE app.t DROP gone; INSERT INTO app.t VALUES ('y', 't', 2), ('x', 't', 1)");
            assertThat(shards.compare("t").differences()).isEmpty();
        }
    }

    @Test
    void generatedColumnThatComputesOtherwiseIsSeen() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(
                "CREATE TABLE app.t(tenant_id text, a int, g int GENERATED ALWAYS AS (a + 1) STORED)")) {
            TwoShards.run(
                    shards.target(),
                    "ALTER TABLE app.t DROP g;" + " ALTER TABLE app.t ADD g int GENERATED ALWAYS AS (a + 2) STORED");
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1)");
            shards.copy("t");
            assertThat(shards.compare("t").differences())
                    .singleElement()
                    .hasToString("app.t: contents of rows differ (rows=1, sum of g=2/3)");
        }
    }

    @Test
    void differencesNameTablesAndFiguresNotRows() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.a(tenant_id text, amount numeric);
                CREATE TABLE app.b(tenant_id text, n bigint);
                CREATE TABLE app.only_tenant(tenant_id text);
                """)) {
            TwoShards.run(
                    shards.source(),
                    "INSERT INTO app.a VALUES ('t', 1.5), ('t', 'NaN'); INSERT INTO app.b VALUES"
                            + " ('t', 9223372036854775807), ('t', 9223372036854775807); INSERT INTO app.only_tenant VALUES ('t')");
            DigestComparison comparison = shards.compare("t");
            assertThat(comparison.equal()).isFalse();
            assertThat(comparison.differences())
                    .extracting(TableDifference::toString)
                    .containsExactly(
                            "app.a: number of rows differs (source=2, target=0, sum of amount=1.5/null)",
                            "app.b: number of rows differs (source=2, target=0, sum of n=18446744073709551614/null)",
                            "app.only_tenant: number of rows differs (source=1, target=0)");
        }
    }

    @Test
    void tableThatOneSideLacksIsADifference() {
        TableDigest digest = new TableDigest(
                io.homeshard.model.TableName.parse("app.t"), 0, BigDecimal.ZERO, BigDecimal.ZERO, Map.of());
        assertThat(DigestComparison.compare(List.of(digest), List.of()).equal()).isFalse();
        assertThat(DigestComparison.compare(List.of(), List.of(digest)).equal()).isFalse();
        assertThat(DigestComparison.compare(List.of(digest), List.of(digest)).equal())
                .isTrue();
    }
}
