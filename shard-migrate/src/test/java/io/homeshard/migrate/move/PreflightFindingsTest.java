package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.migrate.preflight.Preflight;
import io.homeshard.migrate.preflight.PreflightLimits;
import io.homeshard.migrate.preflight.PreflightParts;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** One fault at a time: the plan says exactly that, and nothing else. */
class PreflightFindingsTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .reference("app.kind")
            .ignore("app.audit")
            .build();
    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.kind (code text PRIMARY KEY, name text);
            CREATE TABLE app.base (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.audit (tenant_id text, id int, FOREIGN KEY (tenant_id, id) REFERENCES app.base);
            """;
    private static final String CLEAN = """
            DROP TABLE IF EXISTS app.f, app.g CASCADE;
            DROP DOMAIN IF EXISTS app.lo;
            DELETE FROM app.audit;
            DELETE FROM app.kind;
            """;
    private static final TenantId O1 = TenantId.of("o1");
    private static final TenantId O2 = TenantId.of("o2");

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(MoveLab.ACME, s1);
        lab.tenant(O1, s1);
        lab.tenant(O2, s2);
        lab.run(s1, "INSERT INTO app.base VALUES ('acme', 1)");
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @AfterEach
    void nothingIsLeftThatWouldBeFound() {
        assertThat(plan()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> keysWithoutTheTenant() {
        return PlantedFaults.keys().stream().map(PreflightFindingsTest::test);
    }

    @TestFactory
    Stream<DynamicTest> rowsAndTables() {
        return PlantedFaults.rows().stream().map(PreflightFindingsTest::test);
    }

    @TestFactory
    Stream<DynamicTest> partitions() {
        return PlantedFaults.partitions().stream().map(PreflightFindingsTest::test);
    }

    @TestFactory
    Stream<DynamicTest> references() {
        return PlantedFaults.references().stream().map(PreflightFindingsTest::test);
    }

    private static DynamicTest test(PlantedFault fault) {
        return DynamicTest.dynamicTest(fault.name(), () -> {
            try (Connection source = lab.connect(s1);
                    Connection target = lab.connect(s2)) {
                try {
                    MoveLab.execute(source, fault.ddl() + ";" + fault.source());
                    MoveLab.execute(target, fault.ddl() + ";" + fault.target());
                    lab.guard.install(source, TABLES, Duration.ofSeconds(5));
                    lab.guard.install(target, TABLES, Duration.ofSeconds(5));

                    assertThat(plan()).containsExactlyElementsOf(fault.expected());
                } finally {
                    MoveLab.execute(source, CLEAN);
                    MoveLab.execute(target, CLEAN);
                }
            }
        });
    }

    /** What is in every plan is left out: nobody can say how much disk is free. */
    private static List<String> plan() {
        return plan(f -> f.severity() + " " + f.name() + " " + f.shard() + " " + f.table() + " " + f.column());
    }

    private static List<String> plan(Function<Finding, String> text) {
        MoveConfig config = MoveLab.CONFIG.copy(CopyLimits.defaults().maxRowBytes(100_000));
        return lab.engine(config).plan(MoveLab.ACME, s2).findings().stream()
                .filter(finding -> !finding.name().equals("disk-space"))
                .map(text)
                .toList();
    }

    /** The words that somebody reads at night: the numbers and the remedy are in them. */
    @Test
    void d28_sizeHeapAndPlaceAreSaid() {
        lab.run(s1, "CREATE TABLE app.f (tenant_id text PRIMARY KEY, body bytea)");
        lab.run(s2, "CREATE TABLE app.f (tenant_id text PRIMARY KEY, body bytea)");
        lab.run(s1, "INSERT INTO app.f VALUES ('acme', decode(repeat('00', 5000000), 'hex'))");
        try {
            install();
            assertThat(plan(Finding::toString))
                    .singleElement()
                    .asString()
                    .contains("takes about 5000004 bytes", "maxRowBytes is 100000", "row=app.f (0,1)")
                    .contains("maxRowBytes to at least 5000004", "heap of 74 MiB");
        } finally {
            lab.run(s1, "DROP TABLE app.f");
            lab.run(s2, "DROP TABLE app.f");
        }
    }

    /** What hides all rows looks like an empty tenant. */
    @Test
    void d11_noRowsAtAllAskForConfirmation() throws SQLException {
        TenantId empty = TenantId.of("empty");
        lab.tenant(empty, s1);
        MovePlan plan = lab.engine().plan(empty, s2);

        assertThat(plan.obstacles()).extracting(Finding::name).containsExactly("no-rows");
        assertThat(plan.accepting("no-rows").obstacles()).isEmpty();
    }

    /** The remedy is run up to its first semicolon. */
    @Test
    void remedyOfAPartitionedTableWithoutIndexWorks() {
        for (ShardId shard : List.of(s1, s2)) {
            lab.run(shard, "CREATE TABLE app.f (tenant_id text NOT NULL, id int) PARTITION BY LIST (id)");
            lab.run(shard, "CREATE TABLE app.f_1 PARTITION OF app.f DEFAULT");
        }
        install();
        try {
            assertThat(plan()).containsExactly("WARNING no-tenant-index s1 app.f tenant_id");
            String remedy = plan(Finding::remedy).get(0);
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, remedy.substring(0, remedy.indexOf(';')));
            }
            assertThat(plan()).isEmpty();
        } finally {
            lab.run(s1, "DROP TABLE app.f");
            lab.run(s2, "DROP TABLE app.f");
        }
    }

    /** A second is enough for all but the constraint that sleeps, and the key that does on the target. */
    @Test
    void whatTakesTooLongIsSaidToBeUnchecked() throws SQLException {
        String sleeps = """
                CREATE FUNCTION app.sleeps(int) RETURNS boolean LANGUAGE sql AS 'SELECT pg_sleep(60) IS NOT NULL';
                CREATE FUNCTION app.naps(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
                  'BEGIN PERFORM pg_sleep(60) FROM app.audit; RETURN $1; END';
                CREATE TABLE app.f (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
                CREATE UNIQUE INDEX ON app.f (app.naps(id));
                """;
        String slow = "ALTER TABLE app.f ADD CONSTRAINT slow CHECK (app.sleeps(id)) NOT VALID";
        PreflightLimits brief = new PreflightLimits(
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20),
                4,
                Long.MAX_VALUE,
                1 << 20,
                Long.MAX_VALUE);
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            MoveLab.execute(source, sleeps + "INSERT INTO app.f VALUES ('acme', 1);" + slow);
            MoveLab.execute(target, sleeps + "INSERT INTO app.f VALUES ('o2', 2);" + slow);
            MoveLab.execute(target, "INSERT INTO app.audit VALUES ('o2', NULL)");
            MoveLab.execute(target, "SET enable_indexscan = off; SET enable_bitmapscan = off");
            install();

            PreflightParts parts = new PreflightParts(lab.guard, TABLES, Clocks.system(), brief, List.of());
            List<Finding> findings = Preflight.of(parts)
                    .run(source, target, lab.placement(MoveLab.ACME), s2)
                    .findings();

            assertThat(findings)
                    .filteredOn(finding -> finding.name().equals("unchecked"))
                    .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING))
                    .extracting(finding -> finding.shard() + ": " + finding.problem())
                    .contains(
                            "s1: looking for unvalidated rows took longer than 1000 ms and was given up",
                            "s2: looking for key collisions took longer than 1000 ms and was given up");
            String drop = "DELETE FROM app.audit; DROP TABLE app.f; DROP FUNCTION app.sleeps, app.naps";
            MoveLab.execute(source, drop);
            MoveLab.execute(target, drop);
        }
    }

    @Test
    void freezeIsEstimatedFromWhatWasMeasured() {
        lab.run(s1, "INSERT INTO app.base SELECT 'acme', g FROM generate_series(2, 20000) g");
        lab.run(s1, "ANALYZE app.base");
        try {
            MovePlan plan = lab.engine().plan(MoveLab.ACME, s2);
            MovePlan throttled = lab.engine(
                            MoveLab.CONFIG.copy(CopyLimits.defaults().bytesPerSecond(10_000)))
                    .plan(MoveLab.ACME, s2);

            assertThat(plan.rows()).isBetween(10_000L, 40_000L);
            assertThat(plan.freeze()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
            assertThat(throttled.freeze()).isGreaterThan(Duration.ofSeconds(throttled.bytes() / 10_000));
        } finally {
            lab.run(s1, "DELETE FROM app.base WHERE id > 1");
        }
    }

    @Test
    void guardIsMissing() {
        lab.run(s2, "ALTER TABLE app.base DISABLE TRIGGER zz_homeshard_guard_u");
        try {
            assertThat(plan()).containsExactly("ERROR guard-incomplete s2 app.base null");
        } finally {
            install();
        }
    }

    @Test
    void targetHasNoRoom() {
        lab.admin.setCapacity(s2, 1L, null);
        assertThat(plan(Finding::toString))
                .singleElement()
                .asString()
                .contains("ERROR target-full - shard s2", "tenants=1, max_tenants=1");
        lab.admin.setCapacity(s2, 2L, 1_000L);
        assertThat(plan()).containsExactly("ERROR target-full s2 null null");
        lab.admin.setCapacity(s2, 2L, null);
    }

    @Test
    void tenantMustStayInItsRegion() {
        lab.admin.requireRegion(MoveLab.ACME, "eu");
        assertThat(plan()).containsExactly("ERROR region s2 null null");
        lab.admin.requireRegion(MoveLab.ACME, null);
    }

    @Test
    void dedicatedShardHoldsOneTenant() {
        dedicated(true);
        assertThat(plan()).containsExactly("ERROR target-dedicated s2 null null");
        dedicated(false);
    }

    private static void dedicated(boolean value) {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            MoveLab.execute(directory, "UPDATE homeshard.shard SET dedicated = " + value + " WHERE shard_id = 's2'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void install() {
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            lab.guard.install(source, TABLES, Duration.ofSeconds(5));
            lab.guard.install(target, TABLES, Duration.ofSeconds(5));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
