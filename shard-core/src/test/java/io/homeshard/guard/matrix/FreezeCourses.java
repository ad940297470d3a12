package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.util.Locale;

/** A write before, during and after a freeze. */
final class FreezeCourses {
    private FreezeCourses() {}

    static void wroteBefore(Scene scene) throws Exception {
        scene.rememberRows();
        scene.begin();
        scene.expect("first write", scene.write(), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("second write", scene.write(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
        scene.rememberRows();
        scene.expect("freeze afterwards", scene.freeze(), Mover.DONE);
        scene.expectSameRows();
    }

    static void snapshotBefore(Scene scene) throws Exception {
        scene.begin();
        scene.takeSnapshot();
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("write", scene.write(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    static void waitsForCommit(Scene scene) throws Exception {
        waitsForCommit(scene, false);
    }

    static void waitsForCommitWithSnapshot(Scene scene) throws Exception {
        waitsForCommit(scene, true);
    }

    private static void waitsForCommit(Scene scene, boolean snapshot) throws Exception {
        Session mover = scene.stage().mover().session();
        mover.run("BEGIN");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.begin();
        if (snapshot) {
            scene.takeSnapshot();
        }
        scene.send(scene::write);
        scene.expect("writer waits", scene.sentWaits());
        mover.run("COMMIT");
        scene.expect("write", scene.sentOutcome(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    static void waitsForRollback(Scene scene) throws Exception {
        Session mover = scene.stage().mover().session();
        mover.run("BEGIN");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.begin();
        scene.send(scene::write);
        scene.expect("writer waits", scene.sentWaits());
        mover.run("ROLLBACK");
        scene.expect("write", scene.sentOutcome(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
    }

    static void autocommit(Scene scene) throws Exception {
        String level = scene.cell().level().sql().toLowerCase(Locale.ROOT);
        scene.stage().writer().run("SET default_transaction_isolation = '" + level + "'");
        scene.expect("write before", scene.write(), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("write after", scene.write(), FROZEN);
        scene.expectSameRows();
    }
}
