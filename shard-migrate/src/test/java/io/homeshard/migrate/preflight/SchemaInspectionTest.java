package io.homeshard.migrate.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SchemaInspectionTest {
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
                CREATE TABLE app.folded(tenant_id char(9) PRIMARY KEY);
                CREATE SEQUENCE app.hasty CACHE 50;
                """)) {
            assertThat(SchemaInspection.inspect(SHARD, shards.source(), APP, shards.catalog()))
                    .extracting(f -> f.severity() + " " + f.name() + " " + f.table())
                    .containsExactly(
                            "WARNING tenant-type-loose app.folded",
                            "WARNING no-tenant-index app.slow",
                            "ERROR child-without-tenant app.child",
                            "ERROR undeclared-table app.stray",
                            "NOTE sequence-cache app.hasty",
                            "WARNING unique-without-tenant app.slow");
        }
    }
}
