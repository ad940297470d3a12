package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ways around the guard that were found by looking for them. */
class GuardAttackTest {
    private GuardedShard shard;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private void bulk(String... tables) throws SQLException {
        shard.install(TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public")
                .writtenInBulk(tables)
                .build());
        assertThat(shard.gaps()).isEmpty();
    }

    /** PostgreSQL shows a statement trigger nothing of such a MERGE. */
    @Test
    void mergeThatMovesARowBetweenPartitionsOfABulkTable() throws SQLException {
        shard.sql(
                "CREATE TABLE load (tenant_id text, id int, k int) PARTITION BY LIST (k)",
                "CREATE TABLE load1 PARTITION OF load FOR VALUES IN (1)",
                "CREATE TABLE load2 PARTITION OF load FOR VALUES IN (2)");
        bulk("public.load");
        TenantId tenant = shard.owned();
        shard.sql("INSERT INTO load VALUES ('" + tenant + "', 7, 1)");
        shard.frozen(tenant);
        fails(
                "HS002",
                () -> shard.sql("MERGE INTO load t USING (VALUES (7)) s (i) ON t.id = s.i WHEN MATCHED"
                        + " THEN UPDATE SET k = 2"));
    }

    /** A statement on the parent fires no statement trigger of the child. */
    @Test
    void bulkChildThroughItsParent() throws SQLException {
        shard.sql("CREATE TABLE parent (tenant_id text, v int)", "CREATE TABLE child () INHERITS (parent)");
        bulk("public.child");
        TenantId tenant = shard.owned();
        shard.sql("INSERT INTO child VALUES ('" + tenant + "', 0)");
        shard.frozen(tenant);
        fails("HS002", () -> shard.sql("UPDATE parent SET v = 1"));
        fails("HS002", () -> shard.sql("DELETE FROM parent"));
        fails("HS002", () -> shard.sql("UPDATE child SET v = 1"));
    }

    @Test
    void bulkTableThatBecomesAChildIsFound() throws SQLException {
        shard.sql("CREATE TABLE parent (tenant_id text, v int)", "CREATE TABLE child (tenant_id text, v int)");
        bulk("public.child");
        shard.sql("ALTER TABLE child INHERIT parent");
        assertThat(shard.gaps()).anyMatch(gap -> gap.startsWith("public.child "));
    }

    @Test
    void ownershipWithItsTriggerDisabledMeanwhile() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection writer = shard.connect();
                Connection script = shard.connect()) {
            GuardedShard.write(writer, tenant, 1);
            script.setAutoCommit(false);
            Jdbc.run(script, "ALTER TABLE homeshard.ownership DISABLE TRIGGER homeshard_closing");
            fails("55P03", () -> shard.frozen(tenant));
            script.commit();
            fails("HS006", () -> shard.frozen(tenant));
        }
    }

    /** Passes may not come true again. */
    @Test
    void numbersOfClosingsThatAreSetBack() throws SQLException {
        TenantId tenant = shard.owned();
        TenantId other = shard.owned();
        try (Connection writer = shard.connect();
                Connection late = shard.connect()) {
            shard.sql("ALTER SEQUENCE homeshard.closings RESTART");
            shard.sql("UPDATE homeshard.ownership SET map_version = 1 WHERE tenant_id = '" + other + "'");
            GuardedShard.write(writer, tenant, 1);
            shard.frozen(tenant);
            shard.sql("ALTER SEQUENCE homeshard.closings RESTART");
            shard.sql("UPDATE homeshard.ownership SET map_version = 2 WHERE tenant_id = '" + other + "'");
            fails("HS002", () -> GuardedShard.write(writer, tenant, 2));
            fails("HS002", () -> GuardedShard.write(late, tenant, 2));
        }
    }

    @Test
    void collationsOfTheTenantColumn() throws SQLException {
        shard.sql(
                "CREATE COLLATION nd (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE TABLE umlaut (tenant_id text COLLATE \"de-x-icu\", id int)",
                "CREATE TABLE part (tenant_id text, id int) PARTITION BY HASH (id)",
                "CREATE TABLE part1 PARTITION OF part FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
                "CREATE TABLE load (tenant_id text, id int)");
        bulk("public.load");
        TenantId small = shard.owned(TenantId.of("a"));
        TenantId capital = shard.owned(TenantId.of("A"));
        shard.sql("INSERT INTO umlaut VALUES ('a', 1), ('A', 2)", "INSERT INTO part VALUES ('A', 1)");
        shard.frozen(capital);
        shard.sql(
                "ALTER TABLE part ALTER tenant_id TYPE text COLLATE nd",
                "ALTER TABLE load ALTER tenant_id TYPE text COLLATE nd");
        shard.sql("INSERT INTO part VALUES ('" + small + "', 2)");
        fails("HS002", () -> shard.sql("UPDATE part SET tenant_id = 'a' WHERE id = 1"));
        fails("HS002", () -> shard.sql("INSERT INTO load VALUES ('a', 3), ('A', 4)"));
    }

    /** Where the column is gone, n.tenant_id would call a function of that name. */
    @Test
    void functionInThePlaceOfARenamedColumn() throws SQLException {
        shard.sql("CREATE TABLE load (tenant_id text, id int)");
        bulk("public.load");
        shard.sql(
                "ALTER TABLE load RENAME tenant_id TO tid",
                "CREATE FUNCTION tenant_id(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$");
        fails("42703", () -> shard.sql("INSERT INTO load VALUES ('x', 1)"));
    }

    /** The table's owner has the guard's functions run on types, and so with casts, of his own. */
    @Test
    void castOfATablesOwner() throws SQLException {
        String role = "hs_owner_" + UUID.randomUUID().toString().substring(0, 8);
        shard.sql("CREATE ROLE " + role, "CREATE SCHEMA evil AUTHORIZATION " + role);
        try (Connection owner = shard.connect()) {
            shard.sql("CREATE TABLE his (tenant_id text)", "CREATE TABLE load (tenant_id text)");
            shard.sql("ALTER TABLE his OWNER TO " + role, "ALTER TABLE load OWNER TO " + role);
            bulk("public.load");
            Jdbc.run(owner, "SET SESSION AUTHORIZATION " + role);
            for (String sql : new String[] {
                "CREATE TYPE evil.name AS ENUM ('m')",
                "CREATE TABLE evil.spied (who text)",
                "GRANT ALL ON SCHEMA evil TO PUBLIC",
                "GRANT ALL ON evil.spied TO PUBLIC",
                "CREATE FUNCTION evil.spy(evil.name) RETURNS text LANGUAGE sql AS"
                        + " $$ INSERT INTO evil.spied VALUES (current_user) RETURNING 'm' $$",
                "CREATE CAST (evil.name AS text) WITH FUNCTION evil.spy(evil.name) AS IMPLICIT",
                "ALTER TABLE his ALTER tenant_id TYPE evil.name USING 'm'",
                "ALTER TABLE load ALTER tenant_id TYPE evil.name USING 'm'"
            }) {
                Jdbc.run(owner, sql);
            }
            fails("HS001", () -> Jdbc.run(owner, "INSERT INTO his VALUES ('m')"));
            fails("HS001", () -> Jdbc.run(owner, "INSERT INTO load VALUES ('m')"));
            shard.owned(TenantId.of("m"));
            Jdbc.run(owner, "INSERT INTO his VALUES ('m')");
            Jdbc.run(owner, "INSERT INTO load VALUES ('m')");
            assertThat(GuardedShard.text(owner, "SELECT count(*) FROM evil.spied"))
                    .isEqualTo("0");
        } finally {
            shard.sql("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
        }
    }

    @Test
    void rowsThatHangOnAPartitionItself() throws SQLException {
        shard.sql(
                "CREATE TABLE part (tenant_id text, id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (0) TO (9)",
                "CREATE SCHEMA ref",
                "CREATE TABLE ref.hang (id int REFERENCES part1 (id) ON DELETE CASCADE)");
        shard.install(GuardedShard.NOTES);
        TenantId tenant = shard.owned();
        shard.sql("INSERT INTO part VALUES ('" + tenant + "', 1)", "INSERT INTO ref.hang VALUES (1)");
        MoverToken mover = shard.moved(tenant);
        try (Connection connection = shard.connect()) {
            fails("23001", () -> shard.guard.sweep(connection, mover, TableName.parse("public.part"), 9));
        }
        assertThat(shard.number("SELECT count(*) FROM ref.hang")).isEqualTo(1);
    }

    @Test
    void settingThatChangesHowNamesAreWritten() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection connection = shard.connect()) {
            Jdbc.run(connection, "SET quote_all_identifiers = on");
            assertThat(shard.guard.unguarded(connection)).isEmpty();
            GuardedShard.done(shard.guard.freeze(connection, GuardedShard.mover(tenant), 1, SOON));
        }
    }

    @Test
    void temporaryChildOfATenantTable() throws SQLException {
        try (Connection connection = shard.connect()) {
            Jdbc.run(connection, "CREATE TEMP TABLE mine () INHERITS (note)");
            shard.install(GuardedShard.NOTES);
            assertThat(shard.gaps()).isEmpty();
        }
    }

    @Test
    void removalLeavesTriggersOfOthersAlone() throws SQLException {
        shard.sql("CREATE TABLE part (tenant_id text, id int) PARTITION BY HASH (id)");
        shard.install(GuardedShard.NOTES);
        try (Connection other = shard.connect();
                Connection owner = shard.connect()) {
            String function = GuardedShard.text(owner, """
                    SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                     WHERE t.tgrelid = 'part'::regclass AND t.tgname = 'zz_homeshard_tree_i'""");
            Jdbc.run(other, "CREATE TEMP TABLE mine (tenant_id text)");
            Jdbc.run(
                    other,
                    "CREATE TRIGGER mine AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION homeshard." + function
                            + "()");
            GuardedShard.done(shard.guard.remove(owner, SOON));
        }
    }
}
