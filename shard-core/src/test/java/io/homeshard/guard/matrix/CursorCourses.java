package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.sql.SQLException;

/** Writes that are decided before the freeze and made after it. */
final class CursorCourses {
    private static final String THREE =
            "INSERT INTO shop.note_text (tenant_id) SELECT '{a}' FROM generate_series(1, 3)";

    private CursorCourses() {}

    static void currentOf(Scene scene) throws SQLException {
        scene.expect("seed", scene.attempt(THREE), Session.OK);
        scene.begin();
        scene.attempt("DECLARE c CURSOR FOR SELECT * FROM shop.note_text WHERE tenant_id = '{a}' FOR UPDATE");
        scene.expect("fetch", scene.attempt("FETCH c"), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        String update = scene.attempt("UPDATE shop.note_text SET v = 9 WHERE CURRENT OF c");
        scene.expect("update", update, FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    static void withHold(Scene scene) throws SQLException {
        scene.expect("seed", scene.attempt(THREE), Session.OK);
        scene.begin();
        scene.attempt(
                "UPDATE shop.note_text SET v = 1 WHERE id = (SELECT min(id) FROM shop.note_text WHERE tenant_id = '{a}')");
        scene.attempt("DECLARE h CURSOR WITH HOLD FOR SELECT id FROM shop.note_text WHERE tenant_id = '{a}'");
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        String id = scene.stage().writer().value("FETCH h");
        scene.expect("update", scene.attempt("UPDATE shop.note_text SET v = 9 WHERE id = " + id), FROZEN);
        scene.expectSameRows();
    }

    static void deferredAtCommit(Scene scene) throws SQLException {
        String rows = scene.fill("SELECT count(*) FROM shop.late WHERE tenant_id = '{a}'");
        scene.begin();
        String insert = scene.attempt("INSERT INTO shop.queue (tenant_id) VALUES ('{a}')");
        scene.expect("insert", insert, Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.expect("commit", scene.attempt("COMMIT"), FROZEN, SERIALIZATION_FAILURE);
        scene.expect("rows", scene.stage().observer().value(rows), "0");
    }

    static void functionRolledBack(Scene scene) throws SQLException {
        scene.begin();
        scene.attempt("SAVEPOINT s");
        scene.expect("first write", scene.attempt("SELECT shop.add_note('{a}')"), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("second write", scene.write(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    static void functionFence(Scene scene) throws SQLException {
        scene.begin();
        scene.expect("write", scene.attempt("SELECT shop.add_note('{a}')"), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
    }

    static void procedure(Scene scene) throws Exception {
        Session gate = scene.stage().observer();
        gate.run("SELECT pg_advisory_lock(1, 1)");
        scene.send(() -> scene.attempt("CALL shop.two_steps('{a}')"));
        scene.expect("procedure waits", scene.sentWaits());
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        gate.run("SELECT pg_advisory_unlock(1, 1)");
        scene.expect("procedure", scene.sentOutcome(), FROZEN);
        scene.expectSameRows();
    }

    static void readUncommitted(Scene scene) throws SQLException {
        scene.attempt("BEGIN ISOLATION LEVEL READ UNCOMMITTED");
        scene.takeSnapshot();
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        scene.expect("write", scene.write(), FROZEN);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }
}
