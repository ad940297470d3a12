package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Schemas that are known to break movers, each as a whole move or as a plan that says why there can be none. */
class SchemaCasesTest {
    /** 57 bytes of a name, the last of them in the middle of nothing: two-byte letters. */
    private static final String LONG = "long_" + "\u00e4".repeat(26);

    private static final TableName ONE = new TableName("app", LONG + "_one");
    private static final TableName TWO = new TableName("app", LONG + "_two");
    private static final TableName DOTTED = new TableName("app", "v1.note");
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app", "word")
            .reference("word.dict")
            .build();
    private static final String DDL = """
            CREATE SCHEMA app; CREATE SCHEMA word; CREATE EXTENSION citext;
            CREATE TABLE app.emp (tenant_id text, id int, boss int, PRIMARY KEY (tenant_id, id),
              FOREIGN KEY (tenant_id, boss) REFERENCES app.emp);
            CREATE TABLE app.ev (tenant_id text NOT NULL, at date NOT NULL, n int) PARTITION BY RANGE (at);
            CREATE INDEX ON app.ev (tenant_id);
            CREATE TABLE app.drift (junk int, tenant_id text, id int, first text, last text, PRIMARY KEY (tenant_id, id));
            CREATE TYPE app.mood AS ENUM ('ok', 'so so', 'it''s');
            CREATE DOMAIN app.few AS int CHECK (VALUE < 10);
            CREATE TYPE app.addr AS (street text, zip text);
            CREATE TABLE app.typed (tenant_id text, id int, m app.mood, ms app.mood[], f app.few, a app.addr[],
              c citext, PRIMARY KEY (tenant_id, id));
            CREATE TABLE word.dict (v text PRIMARY KEY);
            CREATE TABLE public.dict (v text PRIMARY KEY);
            INSERT INTO word.dict VALUES ('good');
            CREATE FUNCTION app.val_ok(v text) RETURNS boolean LANGUAGE sql STABLE
              AS 'SELECT EXISTS (SELECT FROM dict WHERE dict.v = $1)';
            CREATE TABLE app.checked (tenant_id text, v text CHECK (app.val_ok(v)), PRIMARY KEY (tenant_id, v));
            """;
    private static final String UNSEEN = " cannot be evaluated for the mover, so that rows were not looked at:"
            + " relation \"nowhere\" does not exist (sqlstate=42P01)";
    private static final String EMPLOYEES =
            Integer.getInteger("homeshard.test.employees", 10_000).toString();

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    private final String tenant = "t " + UUID.randomUUID();

    @BeforeAll
    static void open() throws SQLException {
        String named = "CREATE TABLE %s (tenant_id text, id int, PRIMARY KEY (tenant_id, id));";
        lab = MoveLab.with(
                2,
                TABLES,
                DDL
                        + named.formatted(Identifiers.quote(ONE))
                        + named.formatted(Identifiers.quote(TWO))
                        + named.formatted(Identifiers.quote(DOTTED)));
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        partitions();
        // the same columns, made at other times
        lab.run(s1, "ALTER TABLE app.drift DROP junk");
        lab.run(s2, "ALTER TABLE app.drift DROP junk, DROP first, ADD first text");
        for (ShardId shard : List.of(s1, s2)) {
            lab.run(
                    shard,
                    "ALTER DATABASE \""
                            + lab.query(shard, "SELECT current_database()").get(0) + "\" SET search_path = app, word");
        }
    }

    /** By month here, by year with a subdivided one there. */
    private static void partitions() throws SQLException {
        lab.run(s1, "CREATE TABLE app.ev_03 PARTITION OF app.ev FOR VALUES FROM ('2031-03-01') TO ('2031-04-01')");
        lab.run(s1, "CREATE TABLE app.ev_04 PARTITION OF app.ev FOR VALUES FROM ('2031-04-01') TO ('2031-05-01')");
        lab.run(
                s2,
                "CREATE TABLE app.ev_31 PARTITION OF app.ev FOR VALUES FROM ('2031-01-01') TO ('2032-01-01')"
                        + " PARTITION BY LIST (n)");
        lab.run(s2, "CREATE TABLE app.ev_31_1 PARTITION OF app.ev_31 FOR VALUES IN (1)");
        lab.run(s2, "CREATE TABLE app.ev_31_x PARTITION OF app.ev_31 DEFAULT");
        install();
    }

    private static void install() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection connection = lab.connect(shard)) {
                lab.guard.install(connection, TABLES, Duration.ofSeconds(5));
            }
        }
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    private MoveReport moveAndClean(int batch) {
        MoveEngine engine = lab.engine(MoveLab.CONFIG.retention(Duration.ZERO).sweepBatch(batch));
        MovePlan plan = engine.plan(TenantId.of(tenant), s2);
        assertThat(plan.obstacles()).isEmpty();
        MoveReport report = engine.execute(plan, MoveListener.NONE);
        engine.clean(report.move(), true);
        return report;
    }

    private void create() throws SQLException {
        lab.tenant(TenantId.of(tenant), s1);
    }

    private List<String> obstacles() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(TenantId.of(tenant), s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(MoveException.class);
        assertThat(lab.state(s1, TenantId.of(tenant))).as("never frozen").isEqualTo(OwnershipState.OWNED);
        assertThat(lab.journal.ofTenant(TenantId.of(tenant))).isEmpty();
        return plan.obstacles().stream()
                .map(f -> f.severity() + " " + f.name() + " " + f.shard() + " " + f.table() + " " + f.column())
                .toList();
    }

    private List<String> rows(ShardId shard, String sql) {
        return lab.query(shard, sql, tenant);
    }

    @Test
    void d7_bossesWithLargerIdsAreThereInTimeAndGoInBatches() throws SQLException {
        create();
        lab.run(
                s1,
                "INSERT INTO app.emp SELECT ?, g, g + 1 FROM generate_series(1, CAST(? AS int)) g"
                        + " UNION ALL SELECT ?, CAST(? AS int) + 1, 1",
                tenant,
                EMPLOYEES,
                tenant,
                EMPLOYEES);
        lab.run(s1, "UPDATE app.emp SET boss = id WHERE tenant_id = ? AND id = 7", tenant);
        lab.run(s1, "UPDATE app.emp SET boss = 21 - id WHERE tenant_id = ? AND id IN (10, 11)", tenant);
        String all = "SELECT id || '>' || boss FROM app.emp WHERE tenant_id = ? ORDER BY id";
        List<String> before = rows(s1, all);

        moveAndClean(500);

        assertThat(rows(s2, all)).isEqualTo(before).hasSize(Integer.parseInt(EMPLOYEES) + 1);
        assertThat(rows(s1, all)).isEmpty();
    }

    @Test
    void d12_rowsGoThroughTheRootIntoWhateverPartitionsTheTargetHas() throws SQLException {
        create();
        lab.run(s1, "INSERT INTO app.ev SELECT ?, date '2031-03-25' + g, g % 3 FROM generate_series(1, 20) g", tenant);

        MoveReport report = moveAndClean(7);

        assertThat(report.tables())
                .filteredOn(table -> table.table().name().startsWith("ev"))
                .singleElement()
                .satisfies(table -> assertThat(table.source().rows()).isEqualTo(20));
        String count = "SELECT tableoid::regclass || ' ' || count(*) FROM app.ev WHERE tenant_id = ?"
                + " GROUP BY tableoid ORDER BY 1";
        assertThat(rows(s2, count)).containsExactly("ev_31_1 7", "ev_31_x 13");
        assertThat(rows(s1, count)).isEmpty();
    }

    @Test
    void d12_partitionedSourceAndPlainTargetAreRefusedBothWays() throws SQLException {
        create();
        String partitioned = "CREATE TABLE app.odd (tenant_id text PRIMARY KEY) PARTITION BY LIST (tenant_id)";
        String plain = "CREATE TABLE app.odd (tenant_id text PRIMARY KEY)";
        for (ShardId whole : List.of(s1, s2)) {
            lab.run(s1, whole.equals(s1) ? plain : partitioned);
            lab.run(s2, whole.equals(s2) ? plain : partitioned);
            try {
                install();
                assertThat(obstacles()).containsExactly("ERROR partitioning-differs s2 app.odd null");
            } finally {
                lab.run(s1, "DROP TABLE app.odd");
                lab.run(s2, "DROP TABLE app.odd");
            }
        }
    }

    @Test
    void d15_namesAtTheLimitOfBytesAndWithDots() throws SQLException {
        create();
        for (TableName table : List.of(ONE, TWO, DOTTED)) {
            lab.run(s1, "INSERT INTO " + Identifiers.quote(table) + " VALUES (?, 1), (?, 2)", tenant, tenant);
        }
        install();

        MoveReport report = moveAndClean(1);

        assertThat(report.tables()).extracting(TableReport::table).contains(ONE, TWO, DOTTED);
        for (TableName table : List.of(ONE, TWO, DOTTED)) {
            String count = "SELECT count(*) FROM " + Identifiers.quote(table) + " WHERE tenant_id = ?";
            assertThat(rows(s2, count)).containsExactly("2");
            assertThat(rows(s1, count)).containsExactly("0");
            assertThatThrownBy(() -> lab.run(s1, "INSERT INTO " + Identifiers.quote(table) + " VALUES (?, 3)", tenant))
                    .as("fenced")
                    .hasMessageContaining("is not owned here");
        }
    }

    @Test
    void d16_columnsGoByNameWhereTheirOrderHasDrifted() throws SQLException {
        create();
        assertThat(List.of(order(s1), order(s2))).containsExactly("tenant_id,id,first,last", "tenant_id,id,last,first");
        lab.run(s1, "INSERT INTO app.drift (tenant_id, id, first, last) VALUES (?, 1, 'ada', 'lovelace')", tenant);

        moveAndClean(10);

        assertThat(rows(s2, "SELECT first || ' ' || last FROM app.drift WHERE tenant_id = ?"))
                .containsExactly("ada lovelace");
    }

    private static String order(ShardId shard) {
        return lab.query(
                        shard,
                        "SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute"
                                + " WHERE attrelid = 'app.drift'::regclass AND attnum > 0 AND NOT attisdropped")
                .get(0);
    }

    @Test
    void d17_columnsTooManyOrTooFewAreRefusedBeforeAnybodyWaits() throws SQLException {
        create();
        lab.run(s2, "ALTER TABLE app.drift ADD lang text NOT NULL DEFAULT ''");
        lab.run(s2, "ALTER TABLE app.drift ALTER lang DROP DEFAULT");
        lab.run(s1, "ALTER TABLE app.drift ADD memo text");
        try {
            assertThat(obstacles())
                    .containsExactly("ERROR column-extra s2 app.drift lang", "ERROR column-missing s2 app.drift memo");
        } finally {
            lab.run(s2, "ALTER TABLE app.drift DROP lang");
            lab.run(s1, "ALTER TABLE app.drift DROP memo");
        }
    }

    @Test
    void d24_enumsDomainsCompositesAndCitextTravelAsTheyAre() throws SQLException {
        create();
        lab.run(
                s1,
                "INSERT INTO app.typed VALUES (?, 1, 'it''s', '{ok,\"so so\",NULL}', 9,"
                        + " ARRAY[('a b', '1')::app.addr, NULL, ('\"', NULL)::app.addr], 'MiXed')",
                tenant);
        String all = "SELECT t::text FROM app.typed t WHERE tenant_id = ?";
        List<String> before = rows(s1, all);

        moveAndClean(10);

        assertThat(rows(s2, all)).isEqualTo(before).hasSize(1);
    }

    @Test
    void d24_labelThatTheTargetLacksIsFoundByThePlan() throws SQLException {
        create();
        lab.run(s1, "ALTER TYPE app.mood RENAME VALUE 'so so' TO 'meh'");
        try {
            assertThat(obstacles()).containsExactly("ERROR enum-differs s2 app.typed m");
        } finally {
            lab.run(s1, "ALTER TYPE app.mood RENAME VALUE 'meh' TO 'so so'");
        }
    }

    @Test
    void d45_derivedObjectsStayAndThePlanListsWhatToRefresh() throws SQLException {
        create();
        lab.run(s1, "INSERT INTO app.drift (tenant_id, id) VALUES (?, 1)", tenant);
        List<String> views = List.of(
                "CREATE MATERIALIZED VIEW app.z_all AS SELECT tenant_id, id FROM app.drift",
                "CREATE MATERIALIZED VIEW app.a_count AS SELECT tenant_id, count(*) FROM app.z_all GROUP BY 1",
                "CREATE VIEW app.writable AS SELECT * FROM app.drift");
        for (ShardId shard : List.of(s1, s2)) {
            views.forEach(view -> lab.run(shard, view));
        }
        try {
            assertThat(lab.engine().plan(TenantId.of(tenant), s2).findings())
                    .filteredOn(finding -> finding.name().equals("materialized-view"))
                    .filteredOn(finding -> finding.shard().equals(s2))
                    .extracting(finding -> String.valueOf(finding.table()))
                    .containsExactly("app.z_all", "app.a_count");

            MoveReport report = moveAndClean(10);

            assertThat(report.tables())
                    .extracting(table -> table.table().name())
                    .doesNotContain("z_all", "a_count", "writable");
            assertThat(rows(s2, "SELECT count(*) FROM app.z_all WHERE tenant_id = ?"))
                    .containsExactly("0");
            assertThat(rows(s2, "SELECT count(*) FROM app.writable WHERE tenant_id = ?"))
                    .containsExactly("1");
        } finally {
            lab.run(s1, "DROP MATERIALIZED VIEW app.z_all CASCADE");
            lab.run(s1, "DROP VIEW app.writable");
            lab.run(s2, "DROP MATERIALIZED VIEW app.z_all CASCADE");
            lab.run(s2, "DROP VIEW app.writable");
        }
    }

    @Test
    void d46_extensionInAnotherSchemaIsFoundByThePlan() throws SQLException {
        create();
        lab.run(s2, "ALTER EXTENSION citext SET SCHEMA word");
        try {
            assertThat(obstacles())
                    .containsExactly("ERROR column-differs s2 app.typed c", "ERROR extension-differs s2 app.typed c");
        } finally {
            lab.run(s2, "ALTER EXTENSION citext SET SCHEMA public");
        }
    }

    /** The function finds the table by the search path that the database gives every session. */
    @Test
    void d50_checksFindTheirTablesAsTheyDoForTheApplication() throws SQLException {
        create();
        lab.run(s1, "INSERT INTO app.checked VALUES (?, 'good')", tenant);

        moveAndClean(10);

        assertThat(rows(s2, "SELECT v FROM app.checked WHERE tenant_id = ?")).containsExactly("good");
    }

    /** A check and a key whose function reads a table by its bare name; then one that no path leads to. */
    @Test
    void d50_expressionsAreEvaluatedByTheRolesOwnPathOrSaidToFail() throws SQLException {
        create();
        TenantId other = TenantId.of("other " + tenant);
        lab.tenant(other, s2);
        String known = "CREATE OR REPLACE FUNCTION app.known(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS"
                + " 'BEGIN RETURN (SELECT w.v FROM %s w WHERE w.v = $1); END'";
        for (ShardId shard : List.of(s1, s2)) {
            lab.run(shard, known.formatted("dict"));
            lab.run(shard, "CREATE TABLE app.late (tenant_id text, v text, PRIMARY KEY (tenant_id, v))");
            lab.run(shard, "CREATE UNIQUE INDEX late_known ON app.late (app.known(v))");
        }
        try {
            install();
            lab.run(s1, "INSERT INTO app.late VALUES (?, 'good')", tenant);
            lab.run(s2, "INSERT INTO app.late VALUES (?, 'good')", other.value());
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "ALTER TABLE app.late ADD CONSTRAINT late CHECK (app.known(v) IS NOT NULL) NOT VALID");
            }
            assertThat(obstacles()).containsExactly("ERROR unique-collision s2 app.late null");

            lab.run(s1, known.formatted("nowhere"));
            lab.run(s2, known.formatted("nowhere"));
            assertThat(lab.engine().plan(TenantId.of(tenant), s2).obstacles())
                    .extracting(finding -> finding.severity() + " " + finding.name() + " " + finding.shard() + " "
                            + finding.table() + ": " + finding.problem())
                    .containsExactly(
                            "WARNING expression-fails s1 app.late: constraint late" + UNSEEN,
                            "WARNING expression-fails s1 app.late: unique key late_known on [app.known(v)]" + UNSEEN);
        } finally {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "DROP TABLE app.late");
                lab.run(shard, "DROP FUNCTION app.known");
            }
        }
    }

    @Test
    void d51_tablesThatNobodyDeclaredAreRefused() throws SQLException {
        create();
        lab.run(s1, "INSERT INTO app.drift (tenant_id, id) VALUES (?, 1)", tenant);
        for (String ddl : List.of(
                "CREATE TABLE app.line (tenant text, emp int, sku text, FOREIGN KEY (tenant, emp) REFERENCES app.emp)",
                "CREATE TABLE public.away (tenant text, emp int, FOREIGN KEY (tenant, emp) REFERENCES app.emp)",
                "CREATE TABLE app.country (code text)")) {
            lab.run(s1, ddl);
            lab.run(s2, ddl);
        }
        try {
            assertThat(obstacles())
                    .containsExactlyInAnyOrder(
                            "ERROR child-without-tenant s1 app.line null",
                            "ERROR child-without-tenant s1 public.away null",
                            "ERROR undeclared-table s1 app.country null");
        } finally {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "DROP TABLE app.line, public.away, app.country");
            }
        }
    }
}
