package io.homeshard.migrate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The catalog is read once more while the tenant's writers wait. */
class CatalogSpeedTest {
    private static final int TABLES = 50;
    private static final int READS = 12;
    /** A quiet machine needs a tenth of it; more than that, and something reads the catalog per table or column. */
    private static final Duration LIMIT = Duration.ofMillis(400);

    @Test
    void catalogOfFiftyTablesIsReadWithinTheFreeze() throws SQLException {
        StringBuilder ddl = new StringBuilder("""
                CREATE SCHEMA app;
                CREATE TYPE app.mood AS ENUM ('calm', 'busy');
                CREATE FUNCTION app.ok(n int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT n > 0';
                CREATE FUNCTION app.stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                CREATE TABLE app.t0 (tenant_id text, id bigint, PRIMARY KEY (tenant_id, id));
                """);
        for (int i = 1; i <= TABLES; i++) {
            ddl.append("""
                    CREATE TABLE app.t%1$d (tenant_id text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, p bigint,
                      a int CHECK (app.ok(a)), b text, c numeric(10,2) DEFAULT 1, d timestamptz, e jsonb, f app.mood,
                      g app.mood[], h int GENERATED ALWAYS AS (a + 1) STORED, PRIMARY KEY (tenant_id, id),
                      FOREIGN KEY (tenant_id, p) REFERENCES app.t%2$d, UNIQUE (tenant_id, a));
                    CREATE INDEX ON app.t%1$d (tenant_id, b);
                    CREATE TRIGGER stamp BEFORE INSERT ON app.t%1$d FOR EACH ROW EXECUTE FUNCTION app.stamp();
                    """.formatted(i, i - 1));
        }
        TenantSchema schema =
                TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
        try (TwoShards shards = TwoShards.with(schema, ddl.toString())) {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < READS; i++) {
                long start = System.nanoTime();
                TenantCatalog catalog = shards.catalog();
                assertThat(catalog.fingerprint()).hasSize(64);
                best = Math.min(best, System.nanoTime() - start);
            }
            System.out.printf("catalog of %d tables read in %d ms%n", TABLES + 1, best / 1_000_000);
            assertThat(Duration.ofNanos(best)).isLessThan(LIMIT);
        }
    }
}
