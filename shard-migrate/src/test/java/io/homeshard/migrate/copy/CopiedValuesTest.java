package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Values arrive bit by bit as they were, whatever the databases, roles and sessions are set to. Compared by the types' own
 * send functions, or by text under pinned settings, not by what verifies moves.
 */
class CopiedValuesTest {
    private static final String DDL = """
            CREATE EXTENSION citext SCHEMA public;
            CREATE TYPE app.mood AS ENUM ('ok', 'so so', 'it''s');
            CREATE TYPE app.addr AS (street text, zip int);
            CREATE DOMAIN app.percent AS int CHECK (VALUE BETWEEN 0 AND 100);
            CREATE DOMAIN app.marks AS int[];
            CREATE TABLE app.floats(tenant_id text, id int, d float8, r float4);
            CREATE TABLE app.dates(tenant_id text, id int, tz timestamptz, d date, t time, ttz timetz, ts timestamp(6),
              i interval, r tstzrange, m datemultirange);
            CREATE TABLE app.prices(tenant_id text, id int, price money, prices money[]);
            CREATE TABLE app.bits(tenant_id text, id int, one bit(1), ten bit(10), v varbit, many bit(8)[]);
            CREATE TABLE app.own(tenant_id text, id int, m app.mood, ms app.mood[], a app.addr, aa app.addr[],
              c public.citext);
            CREATE TABLE app.domains(tenant_id text, id int, p app.percent, s app.marks);
            CREATE TABLE app.domain_array(tenant_id text, id int, ps app.percent[]);
            CREATE TABLE app.docs(tenant_id text, id int, j json, b jsonb, t text);
            CREATE TABLE app.geo(id int, tenant_id text, d json, x xml, xs xml[], p point, box box);
            CREATE TABLE app.only(tenant_id text, x xml, p point, d json);
            CREATE TABLE app.names(tenant_id text, id int, c regclass);
            CREATE TABLE app.misc(tenant_id text, id int, n numeric, b bytea, u uuid, ip inet, v tsvector, c char(5),
              "C" "char", ns numeric[], path jsonpath, lsn pg_lsn);
            """;

    private static final String ROWS = """
            INSERT INTO app.floats VALUES ('t', 1, 1.7976931348623157e308, 0.1), ('t', 2, 5e-324, 'NaN'),
              ('t', 3, 0.1::float8 + 0.2::float8, '-0'), ('t', 4, 'NaN', 3.4028235e38), ('t', 5, '-Infinity', NULL),
              ('t', 6, '-0', 1e-45);
            INSERT INTO app.dates VALUES
              ('t', 1, 'infinity', '-infinity', '24:00:00', '12:00+15:59:59', '2025-02-03 04:05:06.789012',
               '-1 mon +2 days -03:00:00.000001', '[2025-01-01,infinity)', '{[2025-01-01,2025-02-01),[2025-03-01,)}'),
              ('t', 2, '-infinity', '0044-03-15 BC', '00:00', '00:00-15:59:59', '294276-12-31 23:59:59.999999',
               '178000000 years', 'empty', '{}'),
              ('t', 3, '0044-03-15 BC', '1582-10-10', NULL, NULL, '4713-01-01 BC', '1 month', NULL, NULL),
              ('t', 4, '1582-10-10', '5874897-12-31', NULL, NULL, NULL, '30 days', NULL, NULL);
            INSERT INTO app.prices VALUES ('t', 1, 92233720368547758.07::numeric::money, ARRAY[1.5::numeric::money, NULL]),
              ('t', 2, (-92233720368547758.08)::numeric::money, '{}'), ('t', 3, (-0.01)::numeric::money, NULL);
            INSERT INTO app.bits VALUES ('t', 1, B'1', B'1010011100', B'', ARRAY[B'10101010', NULL, B'00000001']),
              ('t', 2, B'0', B'0000000000', B'101', '{}');
            INSERT INTO app.own VALUES ('t', 1, 'it''s', '{ok,NULL,"so so"}', ROW('a "b", (c)', 7),
                ARRAY[ROW('', NULL)::app.addr, NULL], 'MiXed'), ('t', 2, NULL, '{}', ROW(NULL, NULL), NULL, '');
            INSERT INTO app.domains VALUES ('t', 1, 100, '{{1,2},{3,NULL}}'), ('t', 2, NULL, '[5:6]={8,9}');
            INSERT INTO app.domain_array VALUES ('t', 1, '{0,NULL,100}');
            INSERT INTO app.docs VALUES ('t', 1, '{"a":1,  "a":"\\u0000", "z" : 1.00}', '{"b": 1.00, "a": 1e2}', U&'\\FFFE'),
              ('t', 2, ' [ ] ', '"x"', repeat('a', 8191) || U&'\\+01F984' || 'end'),
              ('t', 3, 'null', 'null', U&'e\\0301'), ('t', 4, NULL, NULL, U&'\\00E9'),
              ('t', 5, '1', '1', E'\\\\N'), ('t', 6, '2', '2', E'tab\\t nl\\n cr\\r bs\\\\ \\\\.'), ('t', 7, '3', '3', '');
            INSERT INTO app.geo VALUES
              (1, 't', '{"b":1}', ('<?xml version="1.0" encoding="ISO-8859-1"?>' || E'\\n\\n' || U&'<a>\\00E9</a>')::xml,
                ARRAY[xml E'\\n<a/>', NULL], point(0.1, 'NaN'), box(point(1, 2), point(-3, 4))),
              (2, 't', '{"b":1}', E'\\n<b/>', '{}', point('-0', 'Infinity'), NULL);
            INSERT INTO app.only SELECT 't', '<a/>', point(1, 2), '{}' FROM generate_series(1, 3);
            INSERT INTO app.names VALUES ('t', 1, 'app.misc');
            INSERT INTO app.misc VALUES
              ('t', 1, 1.00, '\\x00ff5c', gen_random_uuid(), '::ffff:1.2.3.4/128', 'a:1A b:2,3B ''it''''s'':4', 'x', 'q',
               '{1.10,NaN,-Infinity,1e-16383}', '$.a[*] ? (@ > 1)', '16/B374D848'),
              ('t', 2, 'NaN', '', NULL, '10.0.0.0/8', '', '', '\\200', '{}', '$', '0/0'),
              ('t', 3, 1e100000, NULL, NULL, NULL, NULL, 'abcde', NULL, NULL, NULL, NULL);
            """;

    /** What of a table is compared, in whatever order its rows lie. */
    private static final Map<String, String> FORMS = new TreeMap<>(Map.ofEntries(
            Map.entry("floats", "id, float8send(d), float4send(r)"),
            Map.entry(
                    "dates",
                    "id, timestamptz_send(tz), date_send(d), time_send(t), timetz_send(ttz), timestamp_send(ts),"
                            + " interval_send(i), range_send(r), multirange_send(m)"),
            Map.entry("prices", "id, cash_send(price), array_send(prices)"),
            Map.entry("bits", "id, bit_send(one), bit_send(ten), varbit_send(v), array_send(many)"),
            Map.entry("own", "id, enum_send(m), ms::text, a::text, aa::text, textsend(c::text)"),
            Map.entry("domains", "id, int4send(p), array_send(s::int[])"),
            Map.entry("domain_array", "id, array_send(ps::int[])"),
            Map.entry("docs", "id, json_send(j), jsonb_send(b), textsend(t)"),
            Map.entry(
                    "geo", "id, json_send(d), textsend(x::text), array_send(xs::text[]), point_send(p), box_send(box)"),
            Map.entry("only", "textsend(x::text), point_send(p), json_send(d)"),
            Map.entry("names", "id, c::text"),
            Map.entry(
                    "misc",
                    "id, numeric_send(n), bytea(b), uuid_send(u), inet_send(ip), tsvectorsend(v), bpcharsend(c),"
                            + " charsend(\"C\"), array_send(ns), jsonpath_send(path), pg_lsn_send(lsn)")));

    private static TwoShards shards;
    private static CopyReport report;

    @BeforeAll
    static void copy() throws SQLException {
        // a table that shifts all object ids of the target, so that what is not portable cannot pass by chance
        shards = TwoShards.inApp("");
        TwoShards.run(shards.target(), "CREATE TABLE app.ignored(a int[], b text[])");
        TwoShards.run(shards.source(), DDL);
        TwoShards.run(shards.target(), DDL);
        TwoShards.run(shards.source(), ROWS);
        TwoShards.run(shards.source(), """
                SET extra_float_digits = 0; SET IntervalStyle = 'sql_standard'; SET bytea_output = 'escape';
                SET TimeZone = 'Pacific/Chatham'; SET search_path = app
                """);
        TwoShards.run(shards.target(), """
                SET TimeZone = 'America/New_York'; SET array_nulls = off; SET xmloption = document;
                SET IntervalStyle = 'iso_8601'; SET search_path = pg_temp
                """);
        report = shards.copy("t");
    }

    @AfterAll
    static void close() throws SQLException {
        shards.close();
    }

    private static void assertIdentical(String table) throws SQLException {
        String sql = "SELECT ROW(%s)::text FROM app.%s ORDER BY 1".formatted(FORMS.get(table), table);
        List<String> there = pinned(shards.source(), sql);
        assertThat(there).isNotEmpty();
        assertThat(pinned(shards.target(), sql)).as(table).isEqualTo(there);
    }

    /** As text, with settings that lose nothing. */
    private static List<String> pinned(Connection connection, String sql) throws SQLException {
        TwoShards.run(connection, """
                BEGIN; SET LOCAL bytea_output = hex; SET LOCAL search_path = pg_catalog; SET LOCAL extra_float_digits = 3
                """);
        try {
            return TwoShards.query(connection, sql);
        } finally {
            TwoShards.run(connection, "ROLLBACK");
        }
    }

    @Test
    void d18FloatsKeepEachBit() throws SQLException {
        assertIdentical("floats");
    }

    @Test
    void d20DatesOutsideOfJavasReach() throws SQLException {
        assertIdentical("dates");
    }

    @Test
    void d22Money() throws SQLException {
        assertIdentical("prices");
    }

    @Test
    void d23Bits() throws SQLException {
        assertIdentical("bits");
    }

    @Test
    void d24TypesOfTheApplicationAndOfExtensions() throws SQLException {
        for (String table : List.of("own", "domains", "domain_array", "names")) {
            assertIdentical(table);
        }
    }

    @Test
    void d26NulEscapesAndOddUnicodeAreKeptVerbatim() throws SQLException {
        assertIdentical("docs");
        assertThat(TwoShards.query(shards.target(), "SELECT j::text FROM app.docs WHERE id = 1"))
                .containsExactly("{\"a\":1,  \"a\":\"\\u0000\", \"z\" : 1.00}");
        assertThat(TwoShards.query(shards.target(), "SELECT count(DISTINCT t) FROM app.docs WHERE id IN (3, 4)"))
                .containsExactly("2");
    }

    @Test
    void d27TypesWithoutEqualityAndXmlWithItsDeclaration() throws SQLException {
        assertIdentical("geo");
        assertIdentical("only");
        assertThat(TwoShards.query(shards.target(), "SELECT x::text FROM app.geo WHERE id = 1"))
                .containsExactly("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\n<a>\u00E9</a>");
    }

    @Test
    void otherTypesOfPostgres() throws SQLException {
        assertIdentical("misc");
    }

    @Test
    void allRowsAreCounted() throws SQLException {
        for (CopiedTable table : report.tables()) {
            assertThat(TwoShards.query(
                            shards.source(),
                            "SELECT count(*) FROM app." + table.table().name()))
                    .containsExactly(String.valueOf(table.rows()));
            assertThat(table.bytes()).isPositive();
        }
    }

    @Test
    void binaryIsForTypesWhoseFormMeansTheSameEverywhere() throws SQLException {
        List<TenantTable> tables = shards.catalog().tables();
        List<String> binary = new ArrayList<>();
        TableForms.choose(shards.source(), shards.target(), tables).forEach((name, form) -> {
            if (form.format() == CopyFormat.BINARY) {
                binary.add(name.name());
            }
        });
        assertThat(binary).containsExactlyInAnyOrder("floats", "dates", "prices", "bits", "domains", "docs", "misc");
    }
}
