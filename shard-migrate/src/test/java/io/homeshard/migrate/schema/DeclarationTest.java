package io.homeshard.migrate.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class DeclarationTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    @Test
    void saysOnceForATableWhatAMoveWouldStumbleOver() throws SQLException {
        try (TwoShards shards = TwoShards.with(APP, """
                CREATE SCHEMA app;
                CREATE TABLE app.well(tenant_id text, id int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.random(tenant_id text, id uuid PRIMARY KEY);
                CREATE INDEX ON app.random(tenant_id);
                CREATE TABLE app.slow(tenant_id text, id int PRIMARY KEY, other int UNIQUE);
                CREATE TABLE app.stray(x int);
                CREATE SEQUENCE app.hasty CACHE 50;
                CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
                CREATE TRIGGER stamp BEFORE INSERT ON app.well FOR EACH ROW EXECUTE FUNCTION app.f();
                """)) {
            Declaration declaration = new Declaration(APP);
            assertThat(declaration.news(shards.source(), S1))
                    .extracting(finding -> finding.severity() + " " + finding.name() + " " + finding.table())
                    .containsExactly(
                            "WARNING no-tenant-index app.slow",
                            "ERROR undeclared-table app.stray",
                            "WARNING unique-without-tenant app.slow");
            assertThat(declaration.news(shards.target(), S2))
                    .as("of the second shard")
                    .isEmpty();
            TwoShards.run(shards.target(), "CREATE TABLE app.more(x int)");
            assertThat(declaration.news(shards.target(), S2))
                    .singleElement()
                    .hasToString("ERROR undeclared-table - shard s2, table app.more: has no tenant column and is"
                            + " declared as neither reference nor ignored (declare it in the TenantSchema as reference or"
                            + " ignored, or give it the tenant column)");
        }
    }

    /** How they are loaded is asked by the plan of a move: it depends on what its role may do. */
    @Test
    void tablesInACircleAreNothingToSayOfTheSchema() throws SQLException {
        try (TwoShards shards = TwoShards.with(APP, """
                CREATE SCHEMA app;
                CREATE TABLE app.a(tenant_id text PRIMARY KEY);
                CREATE TABLE app.b(tenant_id text PRIMARY KEY REFERENCES app.a);
                ALTER TABLE app.a ADD FOREIGN KEY (tenant_id) REFERENCES app.b DEFERRABLE;
                """)) {
            assertThat(new Declaration(APP).news(shards.source(), S1)).isEmpty();
        }
    }

    @Test
    void tablesThatAreDeclaredMustExist() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.companies(id text PRIMARY KEY);
                CREATE TABLE app.audit(x int);
                """)) {
            TenantSchema right = builder()
                    .tenantTable("app.companies", "id")
                    .reference("app.audit")
                    .build();
            assertThatCode(() -> new Declaration(right).requireTables(shards.source(), S1))
                    .doesNotThrowAnyException();
            TenantSchema wrong = builder()
                    .tenantTable("app.company", "id")
                    .reference("app.currency")
                    .ignore("app.audit", "app.audits")
                    .build();
            assertThatThrownBy(() -> new Declaration(wrong).requireTables(shards.source(), S1))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageStartingWith("shard s1 - tables are declared")
                    .hasMessageContaining("tables=[app.audits, app.company, app.currency]");
        }
    }

    private static TenantSchema.Builder builder() {
        return TenantSchema.tenantColumn("tenant_id").inSchemas("app");
    }
}
