package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.sql.SQLException;

/** Whether a writer's fence lives exactly as long as what it wrote. */
final class FenceCourses {
    private FenceCourses() {}

    static void rolledBackFence(Scene scene) throws SQLException {
        scene.begin();
        scene.attempt("SAVEPOINT s");
        scene.expect("write in savepoint", scene.write(), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        refusedInTransaction(scene);
    }

    static void outerFence(Scene scene) throws SQLException {
        scene.rememberRows();
        scene.begin();
        scene.expect("outer write", scene.write(), Session.OK);
        scene.attempt("SAVEPOINT s");
        scene.expect("write in savepoint", scene.write(), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("third write", scene.write(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
    }

    static void preparedTransaction(Scene scene) throws SQLException {
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("prepare", scene.attempt("PREPARE TRANSACTION 'x{a}'"), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("commit", scene.attempt("COMMIT PREPARED 'x{a}'"), Session.OK);
        scene.rememberRows();
        scene.expect("freeze afterwards", scene.freeze(), Mover.DONE);
        scene.expectSameRows();
    }

    static void exceptionBlock(Scene scene) throws SQLException {
        String block = """
                DO $$ BEGIN
                  BEGIN %s; PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN NULL; END;
                END $$""".formatted(scene.cell().kind().inBlock());
        scene.begin();
        scene.expect("block", scene.attempt(block), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        refusedInTransaction(scene);
    }

    static void preparedStatement(Scene scene) throws SQLException {
        scene.attempt("SET plan_cache_mode = force_generic_plan");
        scene.expect(
                "prepare", scene.attempt("PREPARE ps AS " + scene.cell().kind().statement()), Session.OK);
        scene.begin();
        scene.expect("first execute", scene.attempt("EXECUTE ps"), Session.OK);
        scene.attempt("COMMIT");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.begin();
        scene.expect("second execute", scene.attempt("EXECUTE ps"), FROZEN);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    private static void refusedInTransaction(Scene scene) throws SQLException {
        scene.rememberRows();
        scene.expect("write", scene.write(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }
}
