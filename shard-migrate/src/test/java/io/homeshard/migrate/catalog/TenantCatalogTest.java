package io.homeshard.migrate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenantCatalogTest {
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    @Test
    void d6TablesComeParentsFirstWhateverTheirNames() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.z_acct(tenant_id text, id int, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.m_doc(tenant_id text, id int, acct int, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, acct) REFERENCES app.z_acct);
                CREATE TABLE app.a_line(tenant_id text, id int, doc int,
                  FOREIGN KEY (tenant_id, doc) REFERENCES app.m_doc);
                CREATE TABLE app.b_free(tenant_id text);
                CREATE TABLE app.no_tenant(id int);
                """)) {
            assertThat(names(shards.catalog())).containsExactly("app.b_free", "app.z_acct", "app.m_doc", "app.a_line");
        }
    }

    @Test
    void d6TablesInACircleComeAsOneGroupBetweenTheirParentsAndChildren() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.z_top(tenant_id text, id int PRIMARY KEY);
                CREATE TABLE app.a(tenant_id text, id int PRIMARY KEY, b int, self int REFERENCES app.a,
                  top int REFERENCES app.z_top);
                CREATE TABLE app.b(tenant_id text, id int PRIMARY KEY, a int REFERENCES app.a DEFERRABLE);
                ALTER TABLE app.a ADD FOREIGN KEY (b) REFERENCES app.b;
                CREATE TABLE app.below(tenant_id text, b int REFERENCES app.b);
                CREATE TABLE app.node(tenant_id text, id int PRIMARY KEY, boss int REFERENCES app.node);
                """)) {
            TenantCatalog catalog = shards.catalog();
            assertThat(catalog.groups())
                    .extracting(group -> names(group.tables()))
                    .containsExactly(
                            List.of("app.node"),
                            List.of("app.z_top"),
                            // b first: what a row of b refers to can wait, what a row of a refers to cannot
                            List.of("app.b", "app.a"),
                            List.of("app.below"));
            assertThat(catalog.groups()).extracting(TableGroup::circle).containsExactly(false, false, true, false);
            assertThat(catalog.groups())
                    .extracting(TableGroup::refersToItself)
                    .containsExactly(true, false, true, false);
            assertThat(catalog.groups()).allMatch(TableGroup::loadsDeferred);

            TwoShards.run(shards.source(), "ALTER TABLE app.b ALTER CONSTRAINT b_a_fkey NOT DEFERRABLE");
            assertThat(shards.catalog().groups())
                    .extracting(TableGroup::loadsDeferred)
                    .containsExactly(true, true, false, true);
        }
    }

    @Test
    void foreignKeysAreToldWithTheirColumnsInOrder() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.currency(code text PRIMARY KEY);
                CREATE TABLE app.p(tenant_id text, id int, PRIMARY KEY (id, tenant_id)) PARTITION BY HASH (id);
                CREATE TABLE app.p0 PARTITION OF app.p FOR VALUES WITH (MODULUS 1, REMAINDER 0);
                CREATE TABLE app.c(tenant_id text, p int, currency text);
                ALTER TABLE app.c ADD CONSTRAINT to_p FOREIGN KEY (p, tenant_id) REFERENCES app.p DEFERRABLE,
                  ADD CONSTRAINT to_code FOREIGN KEY (currency) REFERENCES app.currency NOT VALID;
                """)) {
            TableName child = TableName.parse("app.c");
            assertThat(shards.catalog().foreignKeys())
                    .containsExactly(
                            new ForeignKey(
                                    "to_code",
                                    child,
                                    List.of("currency"),
                                    TableName.parse("app.currency"),
                                    List.of("code"),
                                    false,
                                    false),
                            new ForeignKey(
                                    "to_p",
                                    child,
                                    List.of("p", "tenant_id"),
                                    TableName.parse("app.p"),
                                    List.of("id", "tenant_id"),
                                    true,
                                    true));
        }
    }

    @Test
    void columnsAreAsTheTableHasThemWithoutDroppedOnes() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE DOMAIN app.key AS varchar(20);
                CREATE TABLE app.t(gone int, id bigint GENERATED ALWAYS AS IDENTITY, tenant_id app.key NOT NULL,
                  twice bigint GENERATED ALWAYS AS (id * 2) STORED, n numeric(10,2));
                ALTER TABLE app.t DROP COLUMN gone;
                """)) {
            TenantTable table = shards.catalog().tables().get(0);
            assertThat(table.columns())
                    .containsExactly(
                            new TableColumn("id", "bigint", false, true),
                            new TableColumn("tenant_id", "app.key", false, false),
                            new TableColumn("twice", "bigint", true, false),
                            new TableColumn("n", "numeric(10,2)", false, false));
            assertThat(table.tenantColumn()).isEqualTo("tenant_id");
            assertThat(table.tenantType()).isEqualTo("character varying");
        }
    }

    @Test
    void partitionsStandBehindTheirRootAndSettledTablesStayOut() throws SQLException {
        TenantSchema schema = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("app")
                .tenantTable("app.tenant", "id")
                .reference("app.currency")
                .ignore("app.audit")
                .build();
        try (TwoShards shards = TwoShards.with(schema, """
                CREATE SCHEMA app;
                CREATE TABLE app.tenant(id uuid PRIMARY KEY);
                CREATE TABLE app.currency(code text PRIMARY KEY, tenant_id text);
                CREATE TABLE app.audit(tenant_id text);
                CREATE TABLE app.event(tenant_id uuid REFERENCES app.tenant, at date NOT NULL) PARTITION BY RANGE (at);
                CREATE TABLE app.event_25 PARTITION OF app.event FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
                """)) {
            TenantCatalog catalog = shards.catalog();
            assertThat(names(catalog)).containsExactly("app.tenant", "app.event");
            assertThat(catalog.tables().get(1).partitioned()).isTrue();
            assertThat(catalog.tables().get(0).tenantColumn()).isEqualTo("id");
        }
    }

    @Test
    void absentDeclaredTableOrColumnIsRefused() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t(tenant_id text)")) {
            Connection shard = shards.source();
            TenantSchema table = TenantSchema.tenantColumn("tenant_id")
                    .inSchemas("app")
                    .reference("app.nowhere")
                    .build();
            TenantSchema column = TenantSchema.tenantColumn("tenant_id")
                    .inSchemas("app")
                    .tenantTable("app.t", "owner")
                    .build();
            assertThatThrownBy(() -> TenantCatalog.read(shard, table)).hasMessageContaining("[app.nowhere]");
            assertThatThrownBy(() -> TenantCatalog.read(shard, column)).hasMessageContaining("no column owner");
            assertThat(shard.getAutoCommit()).isTrue();
        }
    }

    @Test
    void sequencesAreFoundWithTheColumnsThatUseThem() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE SEQUENCE app.inv_no INCREMENT BY 5;
                CREATE SEQUENCE app.by_hand;
                CREATE TABLE app.elsewhere(id serial);
                CREATE TABLE app.t(tenant_id text, id serial, no bigint GENERATED BY DEFAULT AS IDENTITY,
                  inv text DEFAULT 'INV-' || nextval('app.inv_no'));
                SELECT nextval('app.inv_no'), nextval('app.inv_no');
                """)) {
            TableName table = TableName.parse("app.t");
            assertThat(shards.catalog().sequences())
                    .extracting(s -> s.name().name(), TableSequence::columns, TableSequence::increment)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("by_hand", List.of(), 1L),
                            org.assertj.core.groups.Tuple.tuple(
                                    "inv_no", List.of(new SequenceColumn(table, "inv", false)), 5L),
                            org.assertj.core.groups.Tuple.tuple(
                                    "t_id_seq", List.of(new SequenceColumn(table, "id", true)), 1L),
                            org.assertj.core.groups.Tuple.tuple(
                                    "t_no_seq", List.of(new SequenceColumn(table, "no", true)), 1L));
            assertThat(shards.catalog().sequences().get(0).lastValue()).isEmpty();
            assertThat(shards.catalog().sequences().get(1).lastValue()).hasValue(6);
        }
    }

    @Test
    void fingerprintIgnoresPhysicalOrderAndSeesEverythingElse() throws SQLException {
        String first = "CREATE TABLE app.t(tenant_id text NOT NULL, id int DEFAULT 1, v numeric(10,2),"
                + " CONSTRAINT t_pk PRIMARY KEY (tenant_id, id))";
        try (TwoShards shards = TwoShards.inApp(first)) {
            String start = shards.catalog().fingerprint();
            Connection target = shards.target();
            assertThat(TenantCatalog.read(target, APP).fingerprint()).isEqualTo(start);

            TwoShards.run(
                    target,
                    "DROP TABLE app.t; CREATE TABLE app.t(junk int, v numeric(10,2), id int DEFAULT 1,"
                            + " tenant_id text NOT NULL, CONSTRAINT t_pk PRIMARY KEY (tenant_id, id));"
                            + " ALTER TABLE app.t DROP COLUMN junk; CREATE TABLE app.other(x int)");
            assertThat(TenantCatalog.read(target, APP).fingerprint()).isEqualTo(start);

            for (String change : List.of(
                    "ALTER TABLE app.t ALTER v TYPE numeric(10,3)",
                    "ALTER TABLE app.t ALTER v SET NOT NULL",
                    "ALTER TABLE app.t ALTER v SET DEFAULT 0",
                    "ALTER TABLE app.t ADD CHECK (v > 0)",
                    "CREATE INDEX ON app.t (v)",
                    "ALTER TABLE app.t ADD w int GENERATED ALWAYS AS (id + 1) STORED",
                    "CREATE TABLE app.u(tenant_id text)")) {
                String before = TenantCatalog.read(target, APP).fingerprint();
                TwoShards.run(target, change);
                assertThat(TenantCatalog.read(target, APP).fingerprint())
                        .as(change)
                        .isNotEqualTo(before);
            }
        }
    }

    private static List<String> names(TenantCatalog catalog) {
        return names(catalog.tables());
    }

    private static List<String> names(List<TenantTable> tables) {
        return tables.stream().map(table -> table.name().toString()).toList();
    }
}
