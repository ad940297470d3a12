package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application changes a guarded table: sessions that have written before go on, and nothing opens unseen. */
class GuardInstallChangeTest {
    private GuardedShard shard;
    private TenantId mine;
    private Connection session;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.empty();
        shard.sql(
                "CREATE EXTENSION citext",
                "CREATE TABLE note (tenant_id text, id int)",
                "CREATE TABLE ev (tenant_id text, id int) PARTITION BY HASH (id)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
        shard.install(NOTES);
        mine = shard.owned(TenantId.of("7"));
        session = shard.connect();
        for (String table : new String[] {"note", "ev", "ev1"}) {
            for (int i = 0; i < 10; i++) {
                Jdbc.update(session, "INSERT INTO " + table + " VALUES ('7', 1)");
                Jdbc.update(session, "UPDATE " + table + " SET id = 2");
                Jdbc.update(session, "DELETE FROM " + table);
            }
        }
    }

    @AfterEach
    void stop() throws SQLException {
        session.close();
        shard.close();
    }

    private void guardedStill(String table) throws SQLException {
        Jdbc.update(session, "INSERT INTO " + table + " VALUES ('7', 1)");
        Jdbc.update(session, "UPDATE " + table + " SET id = 2");
        fails("HS001", () -> Jdbc.update(session, "INSERT INTO " + table + " VALUES ('8', 1)"));
        fails("HS001", () -> Jdbc.update(session, "UPDATE " + table + " SET tenant_id = '8'"));
        Jdbc.update(session, "DELETE FROM " + table);
    }

    @Test
    void renamedAndPutIntoAnotherSchemaItStaysGuarded() throws SQLException {
        shard.sql("ALTER TABLE note RENAME TO remark", "ALTER TABLE ev1 RENAME TO leaf");
        assertThat(shard.gaps()).isEmpty();
        guardedStill("remark");
        guardedStill("leaf");
        shard.sql("CREATE SCHEMA other", "ALTER TABLE remark SET SCHEMA other", "ALTER TABLE leaf SET SCHEMA other");
        assertThat(shard.gaps()).isEmpty();
        guardedStill("other.remark");
        guardedStill("other.leaf");
        shard.install(TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public", "other")
                .build());
        guardedStill("other.remark");
        guardedStill("other.leaf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"note", "ev"})
    void aRenamedTenantColumnClosesTheTable(String table) throws SQLException {
        shard.install(declared("tenant_id"));
        shard.sql("ALTER TABLE " + table + " RENAME tenant_id TO account");
        fails("42703", () -> Jdbc.update(session, "INSERT INTO " + table + " VALUES ('7', 1)"));
        assertThat(shard.gaps()).anyMatch(gap -> gap.startsWith("public." + table + " has no column tenant_id"));
        shard.sql("ALTER TABLE " + (table.equals("ev") ? "note" : "ev") + " RENAME tenant_id TO account");
        shard.install(declared("account"));
        assertThat(shard.gaps()).isEmpty();
        Jdbc.update(session, "INSERT INTO " + table + " VALUES ('7', 1)");
        fails("HS001", () -> Jdbc.update(session, "INSERT INTO " + table + " VALUES ('8', 1)"));
    }

    private static TenantSchema declared(String column) {
        return TenantSchema.tenantColumn(column)
                .inSchemas("public")
                .tenantTable("public.note", column)
                .tenantTable("public.ev", column)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"note", "ev"})
    void aDroppedTenantColumnClosesTheTable(String table) throws SQLException {
        shard.install(declared("tenant_id"));
        shard.sql("ALTER TABLE " + table + " DROP tenant_id");
        fails("42703", () -> Jdbc.update(session, "INSERT INTO " + table + " VALUES (1)"));
        assertThat(shard.gaps()).anyMatch(gap -> gap.startsWith("public." + table + " has no column tenant_id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"varchar(20)", "bigint", "citext"})
    void anotherTypeOfTheTenantColumnIsTakenUpBySessionsThatHaveWrittenBefore(String type) throws SQLException {
        for (String table : new String[] {"note", "ev"}) {
            shard.sql("ALTER TABLE " + table + " ALTER tenant_id TYPE " + type + " USING tenant_id::" + type);
        }
        shard.install(NOTES);
        assertThat(shard.gaps()).isEmpty();
        guardedStill("note");
        guardedStill("ev");
        guardedStill("ev1");
    }

    @Test
    void otherColumnsComeAndGo() throws SQLException {
        shard.sql(
                "ALTER TABLE note ADD COLUMN more text DEFAULT 'x'",
                "ALTER TABLE ev ADD COLUMN more text DEFAULT 'x'",
                "ALTER TABLE note DROP COLUMN more",
                "ALTER TABLE note ALTER id TYPE bigint");
        assertThat(shard.gaps()).isEmpty();
        guardedStill("note");
        guardedStill("ev");
        guardedStill("ev1");
    }

    @Test
    void longQuotedNamesOnTablesAndLeaves() throws SQLException {
        String stem = "T \"\"é.".repeat(8) + "0123456789";
        String column = "c \"\"ü".repeat(10);
        shard.sql(
                "CREATE TABLE \"" + stem + "a\" (\"" + column + "\" text, id int) PARTITION BY HASH (id)",
                "CREATE TABLE \"" + stem + "b\" PARTITION OF \"" + stem
                        + "a\" FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
                "CREATE TABLE \"" + stem + "c\" (\"" + column + "\" text, id int)");
        TenantSchema tables = TenantSchema.tenantColumn(column.replace("\"\"", "\""))
                .inSchemas("public")
                .ignore("public.note", "public.ev")
                .build();
        shard.install(tables);
        shard.install(tables);
        assertThat(shard.gaps()).isEmpty();
        for (String last : new String[] {"a", "b", "c"}) {
            guardedByColumn(stem + last, column);
        }
        try (Connection connection = shard.connect()) {
            assertThat(shard.guard.remove(connection, GuardedShard.SOON)).hasToString("done");
        }
        shard.sql("INSERT INTO \"" + stem + "a\" VALUES ('x', 1)", "TRUNCATE \"" + stem + "c\"");
    }

    private void guardedByColumn(String table, String column) throws SQLException {
        Jdbc.update(session, "INSERT INTO \"" + table + "\" VALUES ('7', 1)");
        fails("HS001", () -> Jdbc.update(session, "INSERT INTO \"" + table + "\" VALUES ('8', 1)"));
        fails("HS001", () -> Jdbc.update(session, "UPDATE \"" + table + "\" SET \"" + column + "\" = '8'"));
        fails("HS003", () -> Jdbc.run(session, "TRUNCATE \"" + table + "\""));
    }
}
