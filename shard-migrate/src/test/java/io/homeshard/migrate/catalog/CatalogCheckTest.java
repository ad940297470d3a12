package io.homeshard.migrate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogCheckTest {
    private static final ShardId SHARD = ShardId.of("s1");
    private static final TenantSchema APP = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .reference("app.currency")
            .ignore("app.audit")
            .build();

    @Test
    void findsWhatAMoveWouldStumbleOver() throws SQLException {
        try (TwoShards shards = TwoShards.with(APP, """
                CREATE SCHEMA app;
                CREATE TABLE app.currency(code text PRIMARY KEY);
                CREATE TABLE app.audit(id int);
                CREATE TABLE app.hist(installed_rank int, script text, checksum int, success boolean);
                CREATE TABLE app.well(tenant_id text, id int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.slow(tenant_id text, id int PRIMARY KEY);
                CREATE INDEX ON app.slow(tenant_id) WHERE id > 5;
                CREATE TABLE app.child(slow int REFERENCES app.slow);
                CREATE TABLE app.stray(x int);
                CREATE SEQUENCE app.hasty CACHE 50;
                CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                CREATE TRIGGER stamp BEFORE INSERT ON app.well FOR EACH ROW EXECUTE FUNCTION app.f();
                CREATE TRIGGER on_delete BEFORE DELETE ON app.well FOR EACH ROW EXECUTE FUNCTION app.f();
                """)) {
            assertThat(CatalogCheck.inspect(SHARD, shards.source(), APP, shards.catalog()))
                    .extracting(f -> f.severity() + " " + f.name() + " " + f.table())
                    .containsExactly(
                            "WARNING no-tenant-index app.slow",
                            "ERROR child-without-tenant app.child",
                            "WARNING undeclared-table app.stray",
                            "WARNING trigger-fires app.well",
                            "NOTE sequence-cache app.hasty");
        }
    }

    @Test
    void differentSchemasAreNamedByTable() throws SQLException {
        TenantSchema plain =
                TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.a(tenant_id text PRIMARY KEY, v int);
                CREATE TABLE app.b(tenant_id text PRIMARY KEY, v int);
                """)) {
            assertThat(differences(shards, plain)).isEmpty();
            TwoShards.run(shards.target(), "CREATE INDEX ON app.a(v)");
            assertThat(differences(shards, plain))
                    .singleElement()
                    .extracting(Finding::severity, Finding::table)
                    .containsExactly(Finding.Severity.ERROR, null);
            TwoShards.run(shards.target(), "ALTER TABLE app.a ALTER v TYPE bigint; DROP TABLE app.b");
            assertThat(differences(shards, plain))
                    .extracting(Finding::toString)
                    .containsExactly(
                            "ERROR schema-differs - shard s1, table app.a: has other columns than on the source"
                                    + " (roll the schema out on both shards)",
                            "ERROR schema-differs - shard s1, table app.b: does not exist"
                                    + " (roll the schema out on both shards)");
        }
    }

    private static List<Finding> differences(TwoShards shards, TenantSchema schema) throws SQLException {
        return CatalogCheck.compare(shards.catalog(), TenantCatalog.read(shards.target(), schema), SHARD);
    }
}
