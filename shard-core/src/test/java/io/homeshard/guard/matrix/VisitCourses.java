package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;
import static io.homeshard.internal.jdbc.SqlStates.NO_TENANT;
import static io.homeshard.internal.jdbc.SqlStates.OTHER_GENERATION;

import java.sql.SQLException;

/** An application in strict mode that reads. */
final class VisitCourses {
    private static final String VISIT = "SELECT homeshard.visit('{a}', 1)";
    private static final String DECLARED = "SELECT coalesce(current_setting('app.tenant_id', true), '')";
    private static final String LOCKS = "SELECT count(*) FROM pg_locks WHERE pid = ? AND locktype = 'advisory'";
    private static final String XID = "SELECT coalesce(pg_current_xact_id_if_assigned()::text, 'none')";

    private VisitCourses() {}

    /** The course while the application may call what strict mode needs. */
    static Course strict(Course course) {
        return scene -> {
            Session superuser = scene.stage().observer();
            superuser.run("SELECT homeshard.grant_application('app')");
            try {
                course.play(scene);
            } finally {
                superuser.run("REVOKE ALL ON SCHEMA homeshard FROM app");
                superuser.run("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA homeshard FROM app");
            }
        };
    }

    /** Reads go on while the tenant is frozen, and hinder nobody. */
    static void ownedAndFrozen(Scene scene) throws SQLException {
        scene.begin();
        visited(scene);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        visited(scene);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expect("tenant after commit", scene.stage().writer().value(DECLARED), "");
        scene.begin();
        visited(scene);
        scene.rememberRows();
        scene.expect("write after visit", scene.write(), FROZEN);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    static void readOnly(Scene scene) throws SQLException {
        String begin = "BEGIN ISOLATION LEVEL " + scene.cell().level().sql() + " READ ONLY";
        scene.attempt(begin);
        visited(scene);
        scene.attempt("COMMIT");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.attempt(begin);
        visited(scene);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
    }

    static void moved(Scene scene) throws SQLException {
        scene.moveAway();
        refused(scene, VISIT, NOT_OWNED);
    }

    static void incoming(Scene scene) throws SQLException {
        scene.moveAway();
        scene.stage().mover().reserve(scene.tenant().returning());
        refused(scene, VISIT, FROZEN);
    }

    static void unknown(Scene scene) throws SQLException {
        refused(scene, "SELECT homeshard.visit('nobody', 1)", NOT_OWNED);
        refused(scene, "SELECT homeshard.visit('', 1)", NO_TENANT);
        refused(scene, "SELECT homeshard.visit(NULL, 1)", NO_TENANT);
    }

    static void otherGeneration(Scene scene) throws SQLException {
        refused(scene, "SELECT homeshard.visit('{a}', 2)", OTHER_GENERATION);
        refused(scene, "SELECT homeshard.visit('{a}', NULL)", OTHER_GENERATION);
        scene.moveAway();
        scene.moveBack();
        refused(scene, VISIT, OTHER_GENERATION);
        scene.begin();
        scene.expect("visit", scene.attempt("SELECT homeshard.visit('{a}', 3)"), Session.OK);
    }

    /** A snapshot shows the tenant together with its rows, or neither. */
    static void snapshotBefore(Scene scene) throws SQLException {
        scene.begin();
        scene.takeSnapshot();
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        visited(scene);
        scene.stage().mover().markMoved(scene.tenant());
        boolean fixed = scene.cell().level() != Level.READ_COMMITTED;
        scene.expect("visit when moved", scene.attempt(VISIT), fixed ? Session.OK : NOT_OWNED);
    }

    private static void visited(Scene scene) throws SQLException {
        Session writer = scene.stage().writer();
        scene.expect("visit", scene.attempt(VISIT), Session.OK);
        scene.expect("tenant", writer.value(DECLARED), scene.tenant().name());
        scene.expect("transaction id", writer.value(XID), "none");
        scene.expect("locks", scene.stage().observer().value(LOCKS, writer.pid()), "0");
    }

    private static void refused(Scene scene, String visit, String state) throws SQLException {
        scene.begin();
        scene.expect(visit, scene.attempt(visit), state);
        scene.attempt("ROLLBACK");
        scene.expect("tenant", scene.stage().writer().value(DECLARED), "");
    }
}
