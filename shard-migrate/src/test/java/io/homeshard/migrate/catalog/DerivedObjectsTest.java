package io.homeshard.migrate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class DerivedObjectsTest {
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    @Test
    void d45_viewsAreNotCopiedAndMaterializedOnesAreListedInTheOrderOfRefreshing() throws SQLException {
        try (TwoShards shards = TwoShards.with(APP, """
                CREATE SCHEMA app;
                CREATE TABLE app.note (tenant_id text, id int) PARTITION BY LIST (tenant_id);
                CREATE TABLE app.note_1 PARTITION OF app.note DEFAULT;
                CREATE TABLE app.country (code text);
                CREATE MATERIALIZED VIEW app.z_notes AS SELECT tenant_id, count(*) AS n FROM app.note GROUP BY 1;
                CREATE VIEW app.m_many AS SELECT * FROM app.z_notes WHERE n > 1;
                CREATE MATERIALIZED VIEW app.a_many AS SELECT m.tenant_id FROM app.m_many m, app.country;
                CREATE MATERIALIZED VIEW app.b_part AS SELECT * FROM app.note_1;
                CREATE MATERIALIZED VIEW app.countries AS SELECT * FROM app.country;
                CREATE VIEW app.writable AS SELECT tenant_id, id FROM app.note;
                CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                CREATE TRIGGER instead INSTEAD OF INSERT ON app.writable FOR EACH ROW EXECUTE FUNCTION app.f();
                CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
                CREATE FOREIGN TABLE app.outside (tenant_id text) SERVER files OPTIONS (filename '/nowhere');
                """)) {
            TenantCatalog catalog = shards.catalog();
            assertThat(catalog.tables())
                    .extracting(table -> table.name().toString())
                    .containsExactly("app.note");
            assertThat(DerivedObjects.inspect(ShardId.of("s2"), shards.source(), APP, catalog))
                    .extracting(Finding::toString)
                    .containsExactly(
                            note("app.z_notes", "1 of 3", "\"app\".\"z_notes\""),
                            note("app.a_many", "2 of 3", "\"app\".\"a_many\""),
                            note("app.b_part", "3 of 3", "\"app\".\"b_part\""),
                            "NOTE foreign-table - shard s2, table app.outside: is not copied: its rows live elsewhere"
                                    + " (make sure that the target's foreign table shows the same rows)");
            for (var view : DerivedObjects.materializedViews(shards.source(), catalog)) {
                TwoShards.run(shards.source(), "REFRESH MATERIALIZED VIEW " + view);
            }
            assertThat(LoadFacts.read(ShardId.of("s1"), shards.source(), catalog)
                            .triggers())
                    .as("the view's own trigger sees no copied row")
                    .isEmpty();
        }
    }

    private static String note(String view, String order, String quoted) {
        return "NOTE materialized-view - shard s2, table " + view
                + ": is not copied; it shows the rows of before the move"
                + " until it is refreshed (order=" + order + ") (REFRESH MATERIALIZED VIEW " + quoted
                + " on the target after the move, and on the source after cleaning)";
    }
}
