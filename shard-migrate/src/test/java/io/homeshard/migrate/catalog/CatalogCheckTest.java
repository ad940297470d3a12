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
