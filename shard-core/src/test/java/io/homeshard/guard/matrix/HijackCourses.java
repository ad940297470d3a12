package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.SQLException;
import java.util.List;

/** An application that goes behind the guard's back, by accident or not. */
final class HijackCourses {
    /** Settings that the guard's functions look at. */
    private static final String SETTINGS = """
            SELECT DISTINCT m[1] FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace,
              regexp_matches(p.prosrc, '''(homeshard\\.[a-z_]+)''', 'g') m
            WHERE n.nspname = 'homeshard'""";

    /** What a forger may believe that the guard wants to find there. */
    private static final List<String> FORGERIES =
            List.of("'t'", "'{a}'", "pg_current_xact_id()::text || '/{a}'", "pg_current_xact_id()::text || ':{a}'");

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private HijackCourses() {}

    static void forgedFrozen(Scene scene) throws SQLException {
        scene.expect("seed", scene.write(), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        forged(scene, FROZEN);
    }

    static void forgedIncoming(Scene scene) throws SQLException {
        scene.expect("seed", scene.write(), Session.OK);
        scene.moveAway();
        scene.stage().mover().reserve(scene.tenant().returning());
        forged(scene, FROZEN);
    }

    static void forgedMoved(Scene scene) throws SQLException {
        scene.expect("seed", scene.write(), Session.OK);
        scene.moveAway();
        forged(scene, NOT_OWNED);
    }

    private static void forged(Scene scene, String expected) throws SQLException {
        List<String> settings = Jdbc.list(scene.stage().observer().connection(), SETTINGS, row -> row.getString(1));
        scene.expect("a setting to forge", !settings.isEmpty());
        scene.rememberRows();
        for (String forgery : FORGERIES) {
            for (String write :
                    List.of(scene.cell().kind().statement(), "DELETE FROM shop.note_text WHERE tenant_id = '{a}'")) {
                forge(scene, settings, forgery);
                // not by Scene.attempt(), which may ask to be let in: a forger does not
                String outcome = scene.stage().writer().attempt(scene.fill(write));
                scene.expect("write with " + forgery, outcome, expected);
                scene.attempt("COMMIT");
            }
        }
        scene.expectSameRows();
    }

    private static void forge(Scene scene, List<String> settings, String forgery) throws SQLException {
        scene.begin();
        for (String setting : settings) {
            scene.expect(
                    "set_config",
                    scene.attempt("SELECT set_config('" + setting + "', " + forgery + ", false)"),
                    Session.OK);
        }
    }

    /** Operators, functions and types of the application's own, before those of the system. */
    static void searchPath(Scene scene) throws SQLException {
        Session superuser = scene.stage().observer();
        superuser.run(HijackSchema.CREATE);
        try (Session evil = Session.of(scene.stage().shop().connectAsApp())) {
            evil.run("SET search_path = evil, pg_catalog, public");
            notFooled(scene, evil);
        } finally {
            superuser.run("DROP SCHEMA evil CASCADE");
        }
    }

    /** Anybody may have temporary types, and they come before those of the system by themselves. */
    static void temporaryTypes(Scene scene) throws SQLException {
        try (Session evil = Session.of(scene.stage().shop().connectAsApp())) {
            evil.run(HijackSchema.CREATE_TEMPORARY);
            notFooled(scene, evil);
        }
    }

    /** The functions that an application in strict mode calls. */
    static void temporaryTypesInStrictMode(Scene scene) throws SQLException {
        Session superuser = scene.stage().observer();
        superuser.run("SELECT homeshard.grant_application('app')");
        try (Session evil = Session.of(scene.stage().shop().connectAsApp())) {
            evil.run(HijackSchema.CREATE_TEMPORARY);
            evil.run("SET default_transaction_isolation = '"
                    + scene.cell().level().sql() + "'");
            String enter = scene.fill("SELECT homeshard.enter('{a}', 1)");
            String visit = scene.fill("SELECT homeshard.visit('{a}', 1)");
            scene.expect("enter", evil.attempt(enter), Session.OK);
            scene.expect("visit", evil.attempt(visit), Session.OK);
            scene.expect("freeze", scene.freeze(), Mover.DONE);
            scene.expect("enter frozen", evil.attempt(enter), FROZEN);
            scene.expect("visit frozen", evil.attempt(visit), Session.OK);
        } finally {
            superuser.run("REVOKE ALL ON SCHEMA homeshard FROM app");
            superuser.run("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA homeshard FROM app");
        }
    }

    /** The session's "=" would find the rows of all tenants. */
    private static void notFooled(Scene scene, Session evil) throws SQLException {
        String insert = scene.fill(scene.cell().kind().statement());
        String bulk = scene.fill(scene.cell().kind().inBulk().statement());
        scene.expect("first write", evil.attempt(insert), Session.OK);
        evil.run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
        scene.expect("write of an owned tenant", evil.attempt(insert), Session.OK);
        scene.expect("write in bulk", evil.attempt(bulk), Session.OK);
        scene.expect(
                "update",
                evil.attempt(
                        scene.fill("UPDATE shop.note_text SET v = 1 WHERE tenant_id OPERATOR(pg_catalog.=) '{a}'")),
                Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        evil.run("ROLLBACK");
        scene.expect("freeze afterwards", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("write of a frozen tenant", evil.attempt(insert), FROZEN);
        scene.expect("write of a frozen tenant in bulk", evil.attempt(bulk), FROZEN);
        String unknown = "INSERT INTO shop.note_text (tenant_id) VALUES ('nobody')";
        scene.expect("write of an unknown tenant", evil.attempt(unknown), NOT_OWNED);
        scene.expect("truncate", evil.attempt("TRUNCATE shop.note_text"), SqlStates.TRUNCATE);
        scene.expectSameRows();
    }

    static void replicaRole(Scene scene) throws SQLException {
        Session superuser = scene.stage().observer();
        scene.expect(
                "write before", superuser.attempt(scene.fill(scene.cell().kind().statement())), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        superuser.run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
        superuser.run("SET LOCAL session_replication_role = replica");
        String insert = scene.fill(scene.cell().kind().statement());
        scene.expect("write", superuser.attempt(insert), FROZEN);
        superuser.run("COMMIT");
        scene.expectSameRows();
    }

    /** Otherwise all the other cells prove less than they say. */
    static void noRights(Scene scene) throws SQLException {
        for (String sql : List.of(
                "SELECT FROM homeshard.ownership",
                "UPDATE homeshard.ownership SET state = 'owned'",
                "ALTER TABLE homeshard.ownership DISABLE TRIGGER ALL",
                "SELECT homeshard.passes('{a}')",
                "SELECT homeshard.check_tenant('{a}', 'INSERT')",
                "SELECT homeshard.unguarded()")) {
            scene.expect(sql, scene.attempt(sql), INSUFFICIENT_PRIVILEGE);
        }
    }
}
