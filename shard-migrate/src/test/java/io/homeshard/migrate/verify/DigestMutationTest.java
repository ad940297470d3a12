package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Damages one thing at a time on the target, each at rows chosen by a seed, and demands that the digest sees it. */
class DigestMutationTest {
    private static final long SEED = 20_250_731L;
    private static final int ROUNDS = 5;
    private static final TenantId T = TenantId.of("t");
    private static final String COLUMNS = """
            tenant_id text NOT NULL, id int NOT NULL, amount numeric, txt text, f float8, raw bytea, ts timestamptz,
            doc json, iv interval, pad bpchar, twice int GENERATED ALWAYS AS (id * 2) STORED""";
    private static final String TABLES = """
            CREATE TABLE app.t (%1$s, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.loose (%1$s);
            CREATE INDEX ON app.loose (tenant_id);
            """.formatted(COLUMNS);
    // later updates win: an id that divides by 11 has f = 0 whatever else it divides by
    private static final String ROWS = """
            INSERT INTO app.t SELECT 't', i, i + 0.5, 'row ' || i, i / 3.0, decode(md5(i::text), 'hex'),
                timestamptz '2025-01-01 00:00+00' + i * interval '1 hour', json_build_object('i', i), '1 month', 'a'
              FROM generate_series(1, 210) i;
            UPDATE app.t SET txt = '' WHERE id % 5 = 0;
            UPDATE app.t SET amount = 1.0 WHERE id % 7 = 0;
            UPDATE app.t SET f = 0.1::float8 + 0.2::float8 WHERE id % 3 = 0;
            UPDATE app.t SET f = 0 WHERE id % 11 = 0;
            INSERT INTO app.t SELECT 'other', 500 + i, i, 'x', 0, '', now(), '{}' FROM generate_series(0, 49) i;
            INSERT INTO app.loose SELECT tenant_id, id, amount, txt, f, raw, ts, doc, iv, pad FROM app.t;
            """;
    private static final String PUT_BACK = """
            DELETE FROM app.t; DELETE FROM app.loose;
            INSERT INTO app.t SELECT tenant_id, id, amount, txt, f, raw, ts, doc, iv, pad FROM app.kept;
            INSERT INTO app.loose SELECT tenant_id, id, amount, txt, f, raw, ts, doc, iv, pad FROM app.kept;
            """;

    @Test
    void everyMutationIsSeenAndItsRowsAreNamed() throws SQLException {
        Random random = new Random(SEED);
        int planted = 0;
        try (TwoShards shards = TwoShards.inApp(TABLES)) {
            TwoShards.run(shards.source(), ROWS);
            shards.copy("t");
            // whatever else lives on the target
            TwoShards.run(
                    shards.target(),
                    "INSERT INTO app.t SELECT 'other', 500 + i, i, 'x', 0, '', now(), '{}' FROM generate_series(0, 49) i;"
                            + " CREATE TABLE public.kept_elsewhere (n int)");
            // a role or database with such defaults must not hide anything
            TwoShards.run(shards.source(), "SET extra_float_digits = 0; SET TimeZone = 'Asia/Tokyo'");
            TwoShards.run(shards.target(), "SET extra_float_digits = 0; SET bytea_output = 'escape'");
            assertThat(shards.compare("t").differences()).isEmpty();
            TenantCatalog catalog = shards.catalog();
            TwoShards.run(shards.target(), "CREATE TABLE app.kept (LIKE app.t)");
            TwoShards.run(shards.target(), "INSERT INTO app.kept SELECT * FROM app.t");
            List<TableDigest> source = TenantDigest.read(shards.source(), catalog, T);
            for (Mutation mutation : Mutation.all()) {
                for (int round = 0; round < ROUNDS; round++) {
                    List<Integer> ids = ids(random);
                    String sql = mutation.sql().formatted(ids.get(0), ids.get(1), random.nextInt(128));
                    TwoShards.run(shards.target(), sql);
                    planted++;
                    List<TableDifference> seen = DigestComparison.compare(
                                    source, TenantDigest.read(shards.target(), catalog, T))
                            .differences();
                    assertThat(seen)
                            .as("%s (seed=%d, sql=%s)", mutation.name(), SEED, sql)
                            .singleElement()
                            .satisfies(difference ->
                                    assertThat(difference.table().name()).isEqualTo(mutation.table()));
                    assertThat(named(shards, catalog, seen.get(0)))
                            .as("%s (seed=%d, sql=%s)", mutation.name(), SEED, sql)
                            .containsExactlyInAnyOrderElementsOf(mutation.ids().apply(ids.get(0), ids.get(1)));
                    TwoShards.run(shards.target(), PUT_BACK);
                }
            }
            assertThat(shards.compare("t").differences()).isEmpty();
            assertThat(planted).isEqualTo(Mutation.all().size() * ROUNDS).isGreaterThan(80);
        }
    }

    /** By the primary key, or where there is none by the place where the row lies. */
    private static List<Integer> named(TwoShards shards, TenantCatalog catalog, TableDifference difference)
            throws SQLException {
        TenantTable table = catalog.tables().stream()
                .filter(t -> t.name().equals(difference.table()))
                .findFirst()
                .orElseThrow();
        List<Integer> ids = new ArrayList<>();
        for (RowDifference row :
                new DifferingRows(shards.source(), shards.target(), T).of(table, difference.buckets(), 10)) {
            assertThat(row.toString()).startsWith("app.").doesNotContainPattern("[0-9]");
            String ctid = row.target() == null ? row.source() : row.target();
            String id = row.key().isEmpty()
                    ? TwoShards.query(
                                    row.target() == null ? shards.source() : shards.target(),
                                    "SELECT id FROM app." + table.name().name() + " WHERE ctid = '" + ctid + "'")
                            .get(0)
                    : row.key().get("id");
            ids.add(Integer.valueOf(String.valueOf(id)));
        }
        return ids;
    }

    private static List<Integer> ids(Random random) {
        List<Integer> ids =
                new ArrayList<>(IntStream.rangeClosed(1, 195).boxed().toList());
        Collections.shuffle(ids, random);
        return ids.subList(0, 2);
    }

    @Test
    void d16_physicalOrderOfColumnsAndRowsDoesNotMatter() throws SQLException {
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
    void d4_generatedColumnThatComputesOtherwiseIsSeen() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(
                "CREATE TABLE app.t(tenant_id text, a int PRIMARY KEY, g int GENERATED ALWAYS AS (a + 1) STORED)")) {
            TwoShards.run(
                    shards.target(),
                    "ALTER TABLE app.t DROP g;" + " ALTER TABLE app.t ADD g int GENERATED ALWAYS AS (a + 2) STORED");
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1)");
            shards.copy("t");
            assertThat(shards.compare("t").differences())
                    .singleElement()
                    .satisfies(seen -> assertThat(seen.toString())
                            .matches("app.t: contents of rows differ \\(rows=1\\), in buckets \\[\\d+]"));
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
                    .satisfiesExactly(
                            a -> assertThat(a)
                                    .startsWith("app.a: number of rows differs (source=2, target=0), in buckets ["),
                            b -> assertThat(b)
                                    .startsWith("app.b: number of rows differs (source=2, target=0), in buckets ["),
                            c -> assertThat(c)
                                    .startsWith("app.only_tenant: number of rows differs (source=1, target=0)"));
            assertThat(comparison.differences().toString()).doesNotContain("1.5", "922337");
            assertThat(TenantDigest.read(shards.source(), shards.catalog(), T))
                    .extracting(TableDigest::sums)
                    .containsExactly(
                            Map.of("amount", new BigDecimal("1.5")),
                            Map.of("n", new BigDecimal("18446744073709551614")),
                            Map.of());
        }
    }

    @Test
    void tableThatOneSideLacksIsADifference() {
        TableDigest digest = new TableDigest(TableName.parse("app.t"), Map.of(), List.of(), Map.of());
        assertThat(DigestComparison.compare(List.of(digest), List.of()).equal()).isFalse();
        assertThat(DigestComparison.compare(List.of(), List.of(digest)).equal()).isFalse();
        assertThat(DigestComparison.compare(List.of(digest), List.of(digest)).equal())
                .isTrue();
    }
}
