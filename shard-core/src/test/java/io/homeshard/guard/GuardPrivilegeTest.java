package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application's role: owner of nothing, with rights on its own tables only. */
class GuardPrivilegeTest {
    private static final String FORGE =
            "SELECT set_config('homeshard.mover', pg_current_xact_id()::text || '/' || ?, true)";

    private final String role = "hs_app_" + UUID.randomUUID().toString().substring(0, 8);
    private GuardedShard shard;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.withNotes();
        shard.sql("CREATE ROLE " + role, "GRANT SELECT, INSERT, UPDATE, DELETE ON note TO " + role);
    }

    @AfterEach
    void stop() throws SQLException {
        shard.sql("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
        shard.close();
    }

    private Connection application() throws SQLException {
        Connection connection = shard.connect();
        Jdbc.run(connection, "SET SESSION AUTHORIZATION " + role);
        return connection;
    }

    @Test
    void guardedWritesNeedNoRightOnTheSchema() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection app = application()) {
            GuardedShard.write(app, tenant, 1);
            fails("HS001", () -> GuardedShard.write(app, GuardedShard.tenant(), 1));
            fails("42501", () -> Jdbc.run(app, "SELECT * FROM homeshard.ownership"));
            fails("42501", () -> Jdbc.run(app, "SELECT homeshard.enter(?, 1)", tenant.value()));
        }
        assertThat(shard.notes(tenant)).isEqualTo(1);
    }

    @Test
    void whatIsGrantedLetsItEnterAndSeeTheIdentity() throws SQLException {
        TenantId tenant = shard.owned();
        shard.sql("SELECT homeshard.grant_application('" + role + "')");
        try (Connection app = application()) {
            Jdbc.run(app, "SELECT homeshard.enter(?, 1)", tenant.value());
            Jdbc.run(app, "SELECT homeshard.visit(?, 1)", tenant.value());
            assertThat(shard.guard.identity(app)).isEmpty();
            fails("42501", () -> shard.guard.takeOver(app, GuardedShard.mover(tenant)));
            fails("42501", () -> shard.guard.enterMover(app, GuardedShard.mover(tenant)));
        }
    }

    @Test
    void theMoversPassCannotBeForged() throws SQLException {
        TenantId incoming = GuardedShard.tenant();
        MoverToken token = shard.incoming(incoming, 2);
        TenantId moved = shard.owned();
        shard.write(moved, 1);
        shard.moved(moved);
        try (Connection app = application()) {
            app.setAutoCommit(false);
            Jdbc.run(app, FORGE, incoming.value());
            fails("HS002", () -> GuardedShard.write(app, incoming, 1));
            app.rollback();
            Jdbc.run(app, FORGE, moved.value());
            fails("HS001", () -> Jdbc.update(app, "DELETE FROM note WHERE tenant_id = ?", moved.value()));
            app.rollback();
        }
        try (Connection mover = shard.connect()) {
            mover.setAutoCommit(false);
            shard.guard.enterMover(mover, token);
            GuardedShard.write(mover, incoming, 1);
            mover.commit();
            fails("HS002", () -> GuardedShard.write(mover, incoming, 2));
        }
    }

    @Test
    void operatorsOfTheWritersSearchPathAreNotUsed() throws SQLException {
        TenantId stranger = GuardedShard.tenant();
        shard.sql(
                "CREATE SCHEMA evil",
                "CREATE FUNCTION evil.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
                "CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.yes)",
                "GRANT USAGE ON SCHEMA evil TO " + role);
        try (Connection app = application()) {
            Jdbc.run(app, "SET search_path = evil, public, pg_catalog");
            assertThat(GuardedShard.text(app, "SELECT CAST('a' AS text) = CAST('b' AS text)"))
                    .isEqualTo("t");
            fails("HS001", () -> GuardedShard.write(app, stranger, 1));
        }
    }

    @Test
    void typesOfTheWriterAreNotUsed() throws SQLException {
        TenantId tenant = shard.owned();
        shard.sql("SELECT homeshard.grant_application('" + role + "')");
        try (Connection app = application()) {
            Jdbc.run(
                    app,
                    "CREATE FUNCTION pg_temp.spy() RETURNS boolean LANGUAGE plpgsql AS"
                            + " $$ BEGIN RAISE 'spied' USING ERRCODE = 'XX999'; END $$");
            Jdbc.run(app, "CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.spy())");
            GuardedShard.write(app, tenant, 1);
            Jdbc.run(app, "SELECT homeshard.enter(?, 1)", tenant.value());
            Jdbc.run(app, "SELECT homeshard.visit(?, 1)", tenant.value());
        }
    }

    /** The function behind a tree's triggers may be put on any table, and runs as the owner of the guard. */
    @Test
    void castsOfAForeignTablesOwnerAreNotUsed() throws SQLException {
        shard.sql(
                "CREATE TABLE part (tenant_id text, id int) PARTITION BY HASH (id)",
                "SELECT homeshard.grant_application('" + role + "')",
                "CREATE SCHEMA own AUTHORIZATION " + role);
        shard.install(GuardedShard.NOTES);
        String function;
        try (Connection owner = shard.connect()) {
            function = "homeshard." + GuardedShard.text(owner, """
                SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                 WHERE t.tgrelid = 'part'::regclass AND t.tgname = 'zz_homeshard_tree_i'""");
        }
        try (Connection app = application()) {
            for (String sql : new String[] {
                "CREATE TYPE own.name AS ENUM ('a')",
                "CREATE TABLE own.spied (who text)",
                "GRANT ALL ON SCHEMA own TO PUBLIC",
                "GRANT ALL ON own.spied TO PUBLIC",
                "CREATE FUNCTION own.spy(own.name) RETURNS text LANGUAGE sql AS"
                        + " $$ INSERT INTO own.spied VALUES (current_user) RETURNING 'a' $$",
                "CREATE CAST (own.name AS text) WITH FUNCTION own.spy(own.name) AS IMPLICIT",
                "CREATE TABLE own.bait (tenant_id own.name)",
                "CREATE TRIGGER bait AFTER INSERT ON own.bait FOR EACH ROW EXECUTE FUNCTION " + function + "()"
            }) {
                Jdbc.run(app, sql);
            }
            fails("HS001", () -> Jdbc.run(app, "INSERT INTO own.bait VALUES ('a')"));
            shard.owned(TenantId.of("a"));
            Jdbc.run(app, "INSERT INTO own.bait VALUES ('a')");
            assertThat(GuardedShard.text(app, "SELECT count(*) FROM own.spied")).isEqualTo("0");
        }
    }

    /** The other functions may not be put on a table at all. */
    @Test
    void onlyTheFunctionsOfTreesMayBeUsedByOthers() throws SQLException {
        shard.sql("CREATE TABLE part (tenant_id text, id int) PARTITION BY HASH (id)");
        shard.install(GuardedShard.NOTES);
        assertThat(shard.number("""
                SELECT count(*) FROM pg_proc p WHERE p.pronamespace = 'homeshard'::regnamespace
                   AND (SELECT bool_or(a.grantee = 0)
                          FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a)
                   AND p.proname !~ '^guard_tree_'""")).isZero();
    }
}
