package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holes in the guard are found, and no tenant is frozen where there is one. */
class GuardGapTest {
    private GuardedShard shard;
    private MoverToken token;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
        token = mover(shard.owned());
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private void freezeFails(String state) throws SQLException {
        try (Connection connection = shard.connect()) {
            fails(state, () -> shard.guard.freeze(connection, token, 1, SOON));
        }
    }

    private void freezesAfterInstall() throws SQLException {
        shard.install(NOTES);
        assertThat(shard.gaps()).isEmpty();
        try (Connection connection = shard.connect()) {
            done(shard.guard.freeze(connection, token, 1, SOON));
        }
    }

    private void found(String gap) throws SQLException {
        assertThat(shard.gaps()).singleElement().asString().contains(gap);
        freezeFails("HS006");
        freezesAfterInstall();
    }

    @Test
    void aScriptThatHasDisabledTriggersIsWaitedForAndThenSeen() throws SQLException {
        try (Connection script = shard.connect()) {
            script.setAutoCommit(false);
            Jdbc.run(script, "ALTER TABLE note DISABLE TRIGGER ALL");
            freezeFails("55P03");
            script.commit();
        }
        freezeFails("HS006");
        freezesAfterInstall();
    }

    @Test
    void heldTablesKeepScriptsOutAndLetWritersGoOn() throws SQLException {
        try (Connection holder = shard.connect();
                Connection script = shard.connect()) {
            holder.setAutoCommit(false);
            shard.guard.holdTables(holder, SOON);
            Jdbc.run(script, "SET lock_timeout = 50");
            fails("55P03", () -> Jdbc.run(script, "ALTER TABLE note DISABLE TRIGGER ALL"));
            fails("55P03", () -> Jdbc.run(script, "ALTER TABLE scrap ADD COLUMN more int"));
            shard.write(token.tenant(), 1);
            holder.commit();
            Jdbc.run(script, "ALTER TABLE scrap ADD COLUMN more int");
        }
    }

    @Test
    void aShardWithoutDeclarationFreezesNothing() throws SQLException {
        try (GuardedShard bare = GuardedShard.empty()) {
            bare.sql("CREATE TABLE note (tenant_id text)");
            MoverToken other = mover(bare.owned());
            try (Connection connection = bare.connect()) {
                fails("HS006", () -> bare.guard.freeze(connection, other, 1, SOON));
            }
            assertThat(bare.gaps()).containsExactly("(declaration) names no tenant table");
        }
    }

    @Test
    void aTableWhoseGuardWasNeverInstalled() throws SQLException {
        shard.sql("CREATE TABLE later (tenant_id text)");
        found("public.later has no guard");
    }

    @Test
    void aTriggerThatIsNotAlways() throws SQLException {
        shard.sql("ALTER TABLE note ENABLE TRIGGER ALL");
        found("tgenabled=O");
    }

    @Test
    void aTriggerThatIsGone() throws SQLException {
        shard.sql("DROP TRIGGER zz_homeshard_guard_u ON note");
        found("public.note lacks trigger zz_homeshard_guard_u");
    }

    @Test
    void aTriggerThatLooksTheSameAndDoesLess() throws SQLException {
        shard.sql(
                "CREATE OR REPLACE TRIGGER zz_homeshard_guard_t BEFORE TRUNCATE ON note FOR EACH STATEMENT WHEN (false)"
                        + " EXECUTE FUNCTION homeshard.guard_truncate()",
                "ALTER TABLE note ENABLE ALWAYS TRIGGER zz_homeshard_guard_t");
        found("changed since it was installed");
    }

    @Test
    void aTriggerFunctionThatWasReplaced() throws SQLException {
        String name = "SELECT tgfoid::regprocedure::text FROM pg_trigger"
                + " WHERE tgrelid = 'note'::regclass AND tgname = 'zz_homeshard_guard_i'";
        try (Connection connection = shard.connect()) {
            String function = GuardedShard.text(connection, name);
            Jdbc.run(
                    connection,
                    "CREATE OR REPLACE FUNCTION " + function
                            + " RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN NULL; END'");
        }
        assertThat(shard.gaps()).hasSize(2);
        freezeFails("HS006");
        freezesAfterInstall();
        fails("HS001", () -> shard.write(GuardedShard.tenant(), 1));
    }

    @Test
    void aTenantColumnThatChangedItsType() throws SQLException {
        shard.sql("CREATE TABLE number (tenant_id varchar(20))");
        shard.install(NOTES);
        shard.sql("ALTER TABLE number ALTER tenant_id TYPE numeric USING 1");
        assertThat(shard.gaps()).singleElement().asString().contains("type numeric");
        fails("0A000", () -> shard.install(NOTES));
        freezeFails("HS006");
    }

    @Test
    void aRenamedTableStaysGuardedAndARenamedColumnStaysClosed() throws SQLException {
        shard.sql("ALTER TABLE note RENAME TO remark");
        assertThat(shard.gaps()).isEmpty();
        fails("HS001", () -> shard.sql("INSERT INTO remark VALUES ('x', 1)"));
        shard.sql("ALTER TABLE scrap RENAME tenant_id TO owner");
        fails("42703", () -> shard.sql("INSERT INTO scrap VALUES ('x')"));
    }

    @Test
    void partitionsThatCameLaterAndForeignTables() throws SQLException {
        shard.sql(
                "CREATE TABLE ev (tenant_id text) PARTITION BY LIST (tenant_id)",
                "CREATE FOREIGN DATA WRAPPER none",
                "CREATE SERVER far FOREIGN DATA WRAPPER none",
                "CREATE FOREIGN TABLE elsewhere PARTITION OF ev FOR VALUES IN ('x') SERVER far");
        fails("0A000", () -> shard.install(NOTES));
        assertThat(shard.gaps()).anyMatch(gap -> gap.contains("elsewhere is a foreign table"));
        freezeFails("HS006");
    }
}
