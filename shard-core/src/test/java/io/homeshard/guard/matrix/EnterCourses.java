package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;
import static io.homeshard.internal.jdbc.SqlStates.NO_TENANT;
import static io.homeshard.internal.jdbc.SqlStates.OTHER_GENERATION;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.sql.SQLException;

/** An application in strict mode that is about to write. */
final class EnterCourses {
    private static final String ENTER = "SELECT homeshard.enter('{a}', 1)";

    private EnterCourses() {}

    static void fences(Scene scene) throws SQLException {
        scene.begin();
        scene.expect("enter", scene.attempt(ENTER), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.rememberRows();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
        scene.expect("freeze afterwards", scene.freeze(), Mover.DONE);
        refused(scene, ENTER, FROZEN);
    }

    /** A pass says that the tenant is owned, not at which generation. */
    static void otherGeneration(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        refused(scene, "SELECT homeshard.enter('{a}', 2)", OTHER_GENERATION);
        refused(scene, "SELECT homeshard.enter('{a}', NULL)", OTHER_GENERATION);
        scene.moveAway();
        refused(scene, ENTER, NOT_OWNED);
        scene.moveBack();
        refused(scene, ENTER, OTHER_GENERATION);
        scene.begin();
        scene.expect("enter", scene.attempt("SELECT homeshard.enter('{a}', 3)"), Session.OK);
    }

    static void noTenant(Scene scene) throws SQLException {
        refused(scene, "SELECT homeshard.enter('nobody', 1)", NOT_OWNED);
        refused(scene, "SELECT homeshard.enter('', 1)", NO_TENANT);
        refused(scene, "SELECT homeshard.enter(NULL, 1)", NO_TENANT);
    }

    static void snapshotBefore(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        scene.takeSnapshot();
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.expect("enter", scene.attempt(ENTER), FROZEN, SERIALIZATION_FAILURE);
    }

    /** Entered, rolled back to before it, frozen, written. */
    static void rolledBack(Scene scene) throws SQLException {
        scene.begin();
        scene.attempt("SAVEPOINT s");
        scene.expect("enter", scene.attempt(ENTER), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("write", scene.write(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    private static void refused(Scene scene, String enter, String state) throws SQLException {
        scene.begin();
        scene.expect(enter, scene.attempt(enter), state);
        scene.attempt("ROLLBACK");
    }
}
