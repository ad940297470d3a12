package io.homeshard.migrate.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.CatalogCheck;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Looks that need a server or a type of their own. */
class ServerChecksTest {
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    private static TwoShards shards;

    @BeforeAll
    static void open() throws SQLException {
        shards = TwoShards.inApp("CREATE TABLE app.a (tenant_id text PRIMARY KEY)");
    }

    @AfterAll
    static void close() throws SQLException {
        shards.close();
    }

    @Test
    void encodings() throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) shards.dataSource(0);
        String name = source.getDatabaseName();
        TwoShards.run(
                shards.source(), "CREATE DATABASE " + name + "_latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        source.setDatabaseName(name + "_latin");
        try (Connection latin = source.getConnection()) {
            assertThat(between(shards.target(), latin)).containsExactly("ERROR encoding-differs s2");
            assertThat(between(latin, shards.target())).containsExactly("WARNING encoding-differs s2");
            assertThat(between(shards.source(), shards.target())).isEmpty();
        } finally {
            TwoShards.run(shards.source(), "DROP DATABASE " + name + "_latin");
        }
    }

    /** Of another version, and of another locale: no statement but CREATE DATABASE chooses that. */
    @Test
    void collationOfTheDatabaseHasARemedyThatPostgresqlTakes() throws SQLException {
        PGSimpleDataSource source = (PGSimpleDataSource) shards.dataSource(0);
        String other = source.getDatabaseName() + "_locale";
        String locale = TwoShards.query(shards.source(), """
                SELECT CASE datcollate WHEN 'C' THEN 'C.UTF-8' ELSE 'C' END FROM pg_database
                 WHERE datname = current_database()
                """).get(0);
        TwoShards.run(
                shards.source(),
                "CREATE DATABASE " + other + " ENCODING 'UTF8' LOCALE '" + locale + "' TEMPLATE template0");
        source.setDatabaseName(other);
        try (Connection foreign = source.getConnection()) {
            TwoShards.run(foreign, "CREATE SCHEMA app; CREATE TABLE app.a (tenant_id text PRIMARY KEY)");
            assertThat(databaseCollation(shards.source(), foreign)).contains("database was made with the locale");
            assertThat(databaseCollation(foreign, foreign)).isEmpty();
            TenantCatalog before = TenantCatalog.read(foreign, APP);
            TwoShards.run(foreign, "UPDATE pg_database SET datcollversion = '0.1' WHERE datname = current_database()");
            assertThat(databaseCollation(before, TenantCatalog.read(foreign, APP)))
                    .contains("REINDEX DATABASE", "ALTER DATABASE ... REFRESH COLLATION VERSION")
                    .doesNotContain("ALTER COLLATION");
        } finally {
            TwoShards.run(shards.source(), "DROP DATABASE " + other);
        }
    }

    private static String databaseCollation(Connection from, Connection to) throws SQLException {
        return databaseCollation(TenantCatalog.read(from, APP), TenantCatalog.read(to, APP));
    }

    private static String databaseCollation(TenantCatalog from, TenantCatalog to) {
        return CatalogCheck.compare(from, to, ShardId.of("s2")).stream()
                .filter(finding -> finding.name().equals("collation-version-differs"))
                .map(Finding::remedy)
                .collect(Collectors.joining("; "));
    }

    private static List<String> between(Connection from, Connection to) throws SQLException {
        Placement placement = new Placement(TenantId.of("acme"), ShardId.of("s1"), 1, PlacementState.ACTIVE, 1);
        PreflightLimits limits = new PreflightLimits(
                Duration.ofMillis(100), Duration.ofSeconds(9), Duration.ofSeconds(20), 1, 1, 1, Long.MAX_VALUE);
        Scene scene = new Scene(
                placement,
                side("s1", from),
                side("s2", to),
                new PreflightParts(TwoShards.OPEN, APP, Clocks.system(), limits, List.of()));
        return new Encodings().find(scene).stream().map(ServerChecksTest::text).toList();
    }

    private static Side side(String shard, Connection connection) throws SQLException {
        return new Side(ShardId.of(shard), connection, APP, TenantCatalog.read(shards.source(), APP));
    }

    private static String text(Finding finding) {
        return finding.severity() + " " + finding.name() + " " + finding.shard();
    }

    @Test
    void tenantColumnOfANondeterministicCollation() throws SQLException {
        assumeTrue(
                !TwoShards.query(shards.source(), "SELECT 1 FROM pg_collation WHERE collprovider = 'i' LIMIT 1")
                        .isEmpty(),
                "server without ICU");
        TwoShards.run(shards.source(), """
                CREATE COLLATION app.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE app.folded (tenant_id text COLLATE app.folding PRIMARY KEY);
                """);
        List<Finding> findings = new TenantTypes().find(side("s1", shards.source()));
        TwoShards.run(shards.source(), "DROP TABLE app.folded; DROP COLLATION app.folding");

        assertThat(findings)
                .extracting(finding -> text(finding) + " " + finding.table() + " " + finding.column())
                .containsExactly("ERROR tenant-type-loose s1 app.folded tenant_id");
    }
}
