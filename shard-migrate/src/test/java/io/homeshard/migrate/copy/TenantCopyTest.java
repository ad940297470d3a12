package io.homeshard.migrate.copy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantCopyTest {
    @Test
    void d1IdentityAlwaysKeepsItsValuesAndChildren() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.acct(tenant_id text, id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
                CREATE TABLE app.line(tenant_id text, acct_id bigint REFERENCES app.acct);
                """)) {
            TwoShards.run(
                    shards.source(),
                    "INSERT INTO app.acct OVERRIDING SYSTEM VALUE VALUES ('t',900),('t',901);"
                            + "INSERT INTO app.line VALUES ('t',901),('t',900),('t',901)");
            TwoShards.run(shards.target(), "INSERT INTO app.acct(tenant_id) VALUES ('other')");

            assertThat(shards.move("t").rows()).isEqualTo(5);

            assertThat(TwoShards.query(shards.target(), "SELECT id FROM app.acct WHERE tenant_id = 't' ORDER BY 1"))
                    .containsExactly("900", "901");
            assertThat(TwoShards.query(shards.target(), "INSERT INTO app.acct(tenant_id) VALUES ('t') RETURNING id"))
                    .containsExactly("902");
        }
    }

    @Test
    void d6ChildrenFollowTheirParents() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.z_acct(tenant_id text, id int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.m_doc(tenant_id text, id int, acct int, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, acct) REFERENCES app.z_acct);
                CREATE TABLE app.a_line(tenant_id text, id int, doc int, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, doc) REFERENCES app.m_doc);
                """)) {
            for (String tenant : List.of("t", "other")) {
                TwoShards.run(
                        shards.source(),
                        ("INSERT INTO app.z_acct VALUES ('%1$s',1);"
                                        + "INSERT INTO app.m_doc VALUES ('%1$s',2,1); INSERT INTO app.a_line VALUES ('%1$s',3,2)")
                                .formatted(tenant));
            }
            CopyReport report = shards.move("t");
            assertThat(report.tables())
                    .extracting(copied -> copied.table().name(), CopiedTable::rows)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("z_acct", 1L),
                            org.assertj.core.groups.Tuple.tuple("m_doc", 1L),
                            org.assertj.core.groups.Tuple.tuple("a_line", 1L));
            assertThat(report.bytes()).isPositive();
            assertThat(TwoShards.query(shards.target(), "SELECT DISTINCT tenant_id FROM app.a_line"))
                    .containsExactly("t");
        }
    }

    @Test
    void d7RowsMayReferToLaterRowsOfTheirTable() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(
                "CREATE TABLE app.emp(id int PRIMARY KEY, tenant_id text, boss int REFERENCES app.emp)")) {
            TwoShards.run(shards.source(), """
                    INSERT INTO app.emp SELECT i, 't', least(i + 7, 10000) FROM generate_series(1, 10000) i;
                    INSERT INTO app.emp VALUES (20001, 't', 20002), (20002, 't', 20001), (20003, 't', NULL);
                    """);
            assertThat(shards.move("t").rows()).isEqualTo(10_003);
        }
    }

    @Test
    void d14AnyNameIsTakenAsItIs() throws SQLException {
        TenantSchema schema =
                TenantSchema.tenantColumn("tenant Id").inSchemas("My-App").build();
        try (TwoShards shards = TwoShards.with(schema, """
                CREATE SCHEMA "My-App";
                CREATE TABLE "My-App"."Order"("user" text, "select" serial, "tenant Id" text, "a""b" int,
                  "100%s %n" int, PRIMARY KEY ("tenant Id", "select"));
                CREATE TABLE "My-App"."dotted.name"("tenant Id" text, "?" numeric);
                """)) {
            TwoShards.run(shards.source(), """
                    INSERT INTO "My-App"."Order"("user", "tenant Id", "a""b", "100%s %n")
                      VALUES ('x', 't', 1, 2), ('y', 't', 3, 4), ('z', 'other', 5, 6);
                    INSERT INTO "My-App"."dotted.name" VALUES ('t', 1.50);
                    """);
            assertThat(shards.move("t").rows()).isEqualTo(3);
            assertThat(TwoShards.query(shards.target(), "SELECT nextval('\"My-App\".\"Order_select_seq\"')"))
                    .containsExactly("4");
        }
    }

    /** The ids of the case that a tenant may have; the others never become a {@code TenantId}. */
    private static final List<String> ODD_TENANTS = List.of(
            "o'brien",
            "x'); drop table app.note;--",
            "a\"b",
            "$$",
            "%_",
            "{}",
            "null",
            "''",
            "\\.",
            "a\\tb",
            "\uD83E\uDD84");

    @Test
    void d38TenantsAreDataWhateverTheyLookLike() throws SQLException {
        try (TwoShards shards =
                TwoShards.inApp("CREATE TABLE app.note(tenant_id text, id int, PRIMARY KEY (tenant_id, id))")) {
            for (String tenant : ODD_TENANTS) {
                insert(shards.source(), tenant);
            }
            for (String tenant : ODD_TENANTS) {
                assertThat(shards.move(tenant).rows()).as(tenant).isEqualTo(1);
            }
            String all = "SELECT tenant_id FROM app.note ORDER BY 1";
            assertThat(TwoShards.query(shards.target(), all))
                    .isEqualTo(TwoShards.query(shards.source(), all))
                    .hasSameSizeAs(ODD_TENANTS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text, acme",
        "varchar(5), acme",
        "char(12), acme",
        "uuid, 0b9f3c1e-52a8-4f0f-9d7e-2f6ce1d5a001",
        "smallint, 7",
        "integer, 7",
        "bigint, 7",
        "numeric, 7",
        "app.kind, acme",
        "app.short, acme"
    })
    void everyTypeOfTenantColumnWorks(String type, String tenant) throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TYPE app.kind AS ENUM ('acme', 'zeta');
                CREATE DOMAIN app.short AS varchar(4);
                CREATE TABLE app.t(tenant_id %1$s, v int);
                CREATE INDEX ON app.t(tenant_id);
                """.formatted(type))) {
            TwoShards.run(
                    shards.source(),
                    "INSERT INTO app.t VALUES (%s, 1), (%<s, 2)".formatted("'" + tenant + "'::text::" + type));
            assertThat(shards.move(tenant).rows()).isEqualTo(2);
            assertThat(TwoShards.query(shards.target(), "SELECT sum(v) FROM app.t"))
                    .containsExactly("3");
        }
    }

    @Test
    void longerOrOtherwiseSpelledTenantFindsNoForeignRows() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.cut(tenant_id varchar(4));
                CREATE TABLE app.short(tenant_id char(4));
                """)) {
            TwoShards.run(
                    shards.source(), "INSERT INTO app.cut VALUES ('acme'); INSERT INTO app.short VALUES ('acme')");
            assertThat(shards.move("acme-too").rows()).isZero();
        }
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id int)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES (7)");
            assertThat(shards.move("007").rows()).isZero();
        }
    }

    @Test
    void valuesSurviveWhateverTheSessionsWereSetTo() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.v(tenant_id text, f float8, ts timestamptz, d date, i interval, b bytea, m money,
                  n numeric, j json, a text[], x xml, c text, g text GENERATED ALWAYS AS (upper(c)) STORED)
                """)) {
            TwoShards.run(shards.source(), """
                    INSERT INTO app.v VALUES ('t', 0.1::float8 + 0.2::float8, '2025-03-30 01:30+00', '2025-01-02',
                      '1 mon -2 days 03:04:05.678', '\\x00ff', 12.34, 1.00, '{"a": 1}', ARRAY['NULL', NULL, 'a,b'],
                      '<a/>', E'tab\\t nl\\n back\\\\ \\\\N'),
                     ('t', '-0', NULL, NULL, NULL, NULL, NULL, 'NaN', NULL, NULL, NULL, '');
                    SET extra_float_digits = 0; SET IntervalStyle = 'sql_standard'; SET bytea_output = 'escape';
                    SET TimeZone = 'Pacific/Chatham'; SET search_path = app;
                    """);
            TwoShards.run(
                    shards.target(),
                    "SET TimeZone = 'America/New_York'; SET array_nulls = off;"
                            + "SET xmloption = document; SET search_path = pg_temp");
            assertThat(shards.move("t").rows()).isEqualTo(2);
            assertThat(TwoShards.query(
                            shards.target(),
                            "SELECT f = 0.1::float8 + 0.2::float8 FROM app.v WHERE a[1] = 'NULL' AND a[2] IS NULL"))
                    .containsExactly("t");
            assertThat(TwoShards.query(shards.source(), "SHOW extra_float_digits"))
                    .containsExactly("0");
        }
    }

    /** The target takes longer than the source's session may idle: the limits are the session's, and the copy knows. */
    @Test
    void snapshotOutlivesATargetThatCommitsSlowly() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id text, id int)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1)");
            TwoShards.run(shards.source(), """
                    SET idle_in_transaction_session_timeout = '200ms'; SET statement_timeout = '40s';
                    SET lock_timeout = '7s'""");
            TwoShards.run(shards.target(), """
                    SET statement_timeout = '41s'; SET lock_timeout = '8s';
                    CREATE TABLE app.seen(statement text, lock text);
                    CREATE FUNCTION app.slow() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN
                      INSERT INTO app.seen
                      VALUES (current_setting('statement_timeout'), current_setting('lock_timeout'));
                      PERFORM pg_sleep(1); RETURN NULL; END $f$;
                    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON app.t DEFERRABLE INITIALLY DEFERRED
                      FOR EACH ROW EXECUTE FUNCTION app.slow()""");
            assertThat(shards.copy("t").rows()).isEqualTo(1);
            assertThat(TwoShards.query(shards.target(), "SELECT statement || ' ' || lock FROM app.seen"))
                    .containsExactly("41s 8s");
            assertThat(TwoShards.query(shards.source(), "SHOW idle_in_transaction_session_timeout"))
                    .containsExactly("200ms");
        }
    }

    @Test
    void copyUsesTheIndexOfTheTenantColumn() throws SQLException {
        try (TwoShards shards =
                TwoShards.inApp("CREATE TABLE app.t(tenant_id uuid, id int, PRIMARY KEY(tenant_id,id))")) {
            Connection source = shards.source();
            TwoShards.run(
                    source,
                    "INSERT INTO app.t SELECT gen_random_uuid(), i FROM generate_series(1, 5000) i;"
                            + "ANALYZE app.t; SET homeshard.copy_tenant = '0b9f3c1e-52a8-4f0f-9d7e-2f6ce1d5a001'");
            TenantTable table = shards.catalog().tables().get(0);
            assertThat(plan(source, shards.target(), table, RowRange.ALL))
                    .contains("Index")
                    .contains("Index Cond")
                    .doesNotContain("Seq Scan");
        }
    }

    @Test
    void partitionsAreCopiedThroughTheirRootAndInheritanceChildrenOnce() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.event(tenant_id text, at date NOT NULL) PARTITION BY RANGE (at);
                CREATE TABLE app.parent(tenant_id text, v int);
                CREATE TABLE app.child() INHERITS (app.parent);
                """)) {
            TwoShards.run(
                    shards.source(),
                    "CREATE TABLE app.e1 PARTITION OF app.event FOR VALUES FROM ('2025-01-01') TO"
                            + " ('2025-07-01'); CREATE TABLE app.e2 PARTITION OF app.event FOR VALUES FROM ('2025-07-01') TO"
                            + " ('2026-01-01'); INSERT INTO app.event VALUES ('t','2025-02-02'),('t','2025-08-08');"
                            + " INSERT INTO app.parent VALUES ('t',1); INSERT INTO app.child VALUES ('t',2)");
            TwoShards.run(shards.target(), "CREATE TABLE app.all PARTITION OF app.event DEFAULT");
            assertThat(shards.move("t").rows()).isEqualTo(4);
            assertThat(TwoShards.query(shards.target(), "SELECT count(*) FROM ONLY app.parent"))
                    .containsExactly("1");
        }
    }

    @Test
    void brokenStreamLeavesNothingOfItsTableAndClosesBothEnds() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id text, id int PRIMARY KEY, v text)")) {
            TwoShards.run(
                    shards.source(),
                    "INSERT INTO app.t SELECT 't', i, repeat('x', 500) FROM generate_series(1, 20000) i");
            TwoShards.run(shards.target(), "INSERT INTO app.t VALUES ('other', 20)");
            assertThatThrownBy(() -> shards.copy("t"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("23505");
            assertThat(shards.source().isClosed()).isTrue();
            assertThat(shards.target().isClosed()).isTrue();
            try (Connection again = shards.otherTarget()) {
                assertThat(TwoShards.query(again, "SELECT count(*) FROM app.t")).containsExactly("1");
            }
        }
    }

    @Test
    void d11PolicyThatHidesRowsIsAnErrorForCopyAndDigest() throws SQLException {
        String role = "hs_" + UUID.randomUUID().toString().substring(0, 8);
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id text)")) {
            Connection source = shards.source();
            TwoShards.run(
                    source,
                    "INSERT INTO app.t VALUES ('t'), ('t'), ('t'); CREATE ROLE " + role
                            + "; GRANT CREATE, USAGE ON SCHEMA app TO " + role + "; ALTER TABLE app.t OWNER TO " + role
                            + "; ALTER TABLE app.t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;"
                            + " CREATE POLICY p ON app.t USING (tenant_id = current_setting('app.tenant_id', true));"
                            + " SET ROLE " + role);
            assertThatThrownBy(() -> shards.compare("t")).hasMessageContaining("row-level security");
            assertThatThrownBy(() -> shards.copy("t")).hasMessageContaining("row-level security");
            shards.runOnSource("DROP OWNED BY " + role + " CASCADE; DROP ROLE " + role);
        }
    }

    @Test
    void everyTableIsReadInTheSnapshotOfTheFirst() throws SQLException {
        try (TwoShards shards =
                TwoShards.inApp("CREATE TABLE app.a(tenant_id text); CREATE TABLE app.b(tenant_id text)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.a VALUES ('t'); INSERT INTO app.b VALUES ('t')");
            CopyListener late = new CopyListener() {
                @Override
                public void tableCopied(CopiedTable copied) {
                    if (copied.table().equals(TableName.parse("app.a"))) {
                        shards.runOnSource("INSERT INTO app.b VALUES ('t')");
                    }
                }
            };
            CopyReport report = TenantCopy.create()
                    .copy(
                            new CopyEnds(shards.source(), shards.target(), TwoShards.OPEN),
                            shards.catalog(),
                            TwoShards.token("t"),
                            late);
            assertThat(report.rows()).isEqualTo(2);
            assertThat(shards.compare("t").equal()).isFalse();
        }
    }

    private static void insert(Connection connection, String tenant) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO app.note VALUES (?, 1)")) {
            statement.setString(1, tenant);
            statement.executeUpdate();
        }
    }

    /** How the server will read a part of a table. */
    static String plan(Connection source, Connection target, TenantTable table, RowRange range) throws SQLException {
        TableForm form =
                requireNonNull(TableForms.choose(source, target, List.of(table)).get(table.name()));
        String query = CopyStatements.query(new CopyPart(table, form, range));
        return String.join("\n", TwoShards.query(source, "EXPLAIN " + query));
    }
}
