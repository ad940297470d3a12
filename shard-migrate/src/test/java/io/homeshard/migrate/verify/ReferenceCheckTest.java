package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Rows that came while foreign keys were not looked at. */
class ReferenceCheckTest {
    private static final TenantId T = TenantId.of("t");
    private static final String TABLES = """
            CREATE TABLE app.parent (tenant_id text, a int, b int, PRIMARY KEY (tenant_id, a), UNIQUE (a, b));
            CREATE TABLE app.child (tenant_id text, id int PRIMARY KEY, a int,
              CONSTRAINT simple FOREIGN KEY (tenant_id, a) REFERENCES app.parent (tenant_id, a));
            CREATE TABLE app."Full" (tenant_id text, id int, a int, b int,
              CONSTRAINT "All or none" FOREIGN KEY (a, b) REFERENCES app.parent (a, b) MATCH FULL);
            CREATE TABLE app.chain (tenant_id text, id int PRIMARY KEY, before int
              CONSTRAINT itself REFERENCES app.chain);
            CREATE TABLE app.part (tenant_id text, a int,
              CONSTRAINT parted FOREIGN KEY (tenant_id, a) REFERENCES app.parent (tenant_id, a)) PARTITION BY LIST (a);
            CREATE TABLE app.part_1 PARTITION OF app.part FOR VALUES IN (1, 8);
            """;

    @Test
    void brokenKeysAreNamedWithTheirNumberOfRows() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(TABLES)) {
            TwoShards.run(shards.target(), "SET session_replication_role = replica");
            TwoShards.run(shards.target(), """
                    INSERT INTO app.parent VALUES ('t', 1, 1);
                    INSERT INTO app.child VALUES ('t', 1, 1), ('t', 2, NULL), ('t', 3, 7), ('t', 4, 8), ('other', 5, 7);
                    INSERT INTO app."Full" VALUES ('t', 1, 1, 1), ('t', 2, NULL, NULL), ('t', 3, 1, NULL);
                    INSERT INTO app.chain VALUES ('t', 1, 2), ('t', 2, 1), ('t', 3, 9);
                    INSERT INTO app.part VALUES ('t', 1), ('t', 8);
                    """);

            assertThat(ReferenceCheck.broken(shards.target(), shards.catalog(), T))
                    .extracting(BrokenReferences::toString)
                    .containsExactlyInAnyOrder(
                            "app.child: foreign key simple (rows=2)",
                            "app.Full: foreign key All or none (rows=1)",
                            "app.chain: foreign key itself (rows=1)",
                            "app.part: foreign key parted (rows=1)");
            assertThat(ReferenceCheck.broken(shards.source(), shards.catalog(), T))
                    .isEmpty();
        }
    }

    /** Rows that have just come have no statistics: each row is looked up, not compared with every other. */
    @Test
    void manyRowsWithoutStatisticsAreLookedUp() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(TABLES)) {
            TwoShards.run(shards.target(), """
                    ALTER TABLE app.parent SET (autovacuum_enabled = off);
                    ALTER TABLE app.child SET (autovacuum_enabled = off);
                    INSERT INTO app.parent SELECT 't', g, g FROM generate_series(1, 40000) g;
                    INSERT INTO app.child SELECT 't', g, g FROM generate_series(1, 40000) g;
                    SET statement_timeout = '8s';
                    """);

            assertThat(ReferenceCheck.broken(shards.target(), shards.catalog(), T))
                    .isEmpty();
        }
    }

    @Test
    void keyOnAPeriodIsBrokenWhereThePeriodIsNotCovered() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("")) {
            assumeThat(shards.target().getMetaData().getDatabaseMajorVersion()).isGreaterThanOrEqualTo(18);
            TwoShards.run(shards.target(), """
                    CREATE EXTENSION btree_gist;
                    CREATE TABLE app.price (tenant_id text, id int, during int4range,
                      PRIMARY KEY (tenant_id, id, during WITHOUT OVERLAPS));
                    CREATE TABLE app.sale (tenant_id text, id int, during int4range, CONSTRAINT within
                      FOREIGN KEY (tenant_id, id, PERIOD during) REFERENCES app.price (tenant_id, id, PERIOD during));
                    SET session_replication_role = replica;
                    INSERT INTO app.price VALUES ('t', 1, '[1,5)'), ('t', 1, '[5,9)');
                    INSERT INTO app.sale VALUES ('t', 1, '[2,8)'), ('t', 1, '[7,10)'), ('t', 2, '[1,2)');
                    """);
            TenantCatalog catalog = TenantCatalog.read(
                    shards.target(),
                    TenantSchema.tenantColumn("tenant_id").inSchemas("app").build());

            assertThat(ReferenceCheck.broken(shards.target(), catalog, T))
                    .singleElement()
                    .hasToString("app.sale: foreign key within (rows=2)");
        }
    }
}
