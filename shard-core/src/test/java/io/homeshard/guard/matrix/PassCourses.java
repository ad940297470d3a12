package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a session remembers of a tenant, and events that make it untrue or must not. */
final class PassCourses {
    private static final String ROW_LOCKER = "SELECT xmax::text FROM homeshard.ownership WHERE tenant_id = ?";

    private PassCourses() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        for (Level level : Level.values()) {
            courses.put("pass got at " + level.sql() + ", then freeze", scene -> frozen(scene, level, false));
            courses.put("pass got at " + level.sql() + ", snapshot, then freeze", scene -> frozen(scene, level, true));
        }
        courses.put("pass, freeze and thaw", scene -> thawed(scene, false));
        courses.put("pass, snapshot, freeze and thaw", scene -> thawed(scene, true));
        courses.put("pass, away and back", scene -> back(scene, false));
        courses.put("pass, snapshot, away and back", scene -> back(scene, true));
        courses.put("snapshot, away and back, no pass", PassCourses::backWithoutPass);
        courses.put("pass got in a savepoint that was rolled back", PassCourses::inSavepoint);
        courses.put("pass got in a transaction that was rolled back", PassCourses::inRolledBack);
        courses.put("pass, frozen again after a thaw", PassCourses::frozenTwice);
        courses.put("pass, another tenant freezes", PassCourses::otherFreezes);
        courses.put("pass, snapshot, freeze rolled back", PassCourses::freezeRolledBack);
        courses.put("pass, waits for a mover that has not counted yet", PassCourses::beforeCounting);
        courses.put("pass of one, tenant changed from another", scene -> changed(scene, "shop.part"));
        courses.put("pass of one, tenant changed from another in bulk", scene -> changed(scene, "shop.bulk"));
        courses.put("pass of one, rows of another in bulk", PassCourses::rowsOfAnother);
        courses.put("pass used at commit by a deferred trigger", PassCourses::deferred);
        courses.put("pass used in a prepared transaction", PassCourses::prepared);
        courses.put("pass spares row lock and transaction id", PassCourses::noRowLock);
        for (String reset : List.of("RESET ALL", "DISCARD ALL", "RESET slot", "SET slot TO ''")) {
            courses.put("pass, then " + reset, scene -> reset(scene, reset));
        }
        courses.put("RESET ALL in the transaction that got the pass", PassCourses::resetInTransaction);
        return courses;
    }

    private static void frozen(Scene scene, Level earlier, boolean snapshot) throws SQLException {
        scene.writeEarlier(earlier);
        if (snapshot) {
            scene.begin();
            scene.takeSnapshot();
        }
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        if (!snapshot) {
            scene.begin();
        }
        refused(scene);
    }

    private static void thawed(Scene scene, boolean snapshot) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        if (snapshot) {
            scene.takeSnapshot();
        }
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.thaw();
        staleOnlyIf(scene, snapshot);
    }

    private static void back(Scene scene, boolean snapshot) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        if (snapshot) {
            scene.takeSnapshot();
        }
        scene.moveAway();
        scene.moveBack();
        staleOnlyIf(scene, snapshot);
    }

    private static void backWithoutPass(Scene scene) throws SQLException {
        scene.begin();
        scene.takeSnapshot();
        scene.moveAway();
        scene.moveBack();
        staleOnlyIf(scene, true);
    }

    /** A snapshot that is older than what has happened must not be built upon. */
    private static void staleOnlyIf(Scene scene, boolean snapshot) throws SQLException {
        scene.rememberRows();
        if (snapshot && scene.cell().level() != Level.READ_COMMITTED) {
            scene.expect("write", scene.write(), SERIALIZATION_FAILURE);
            scene.attempt("COMMIT");
            scene.expectSameRows();
        } else {
            written(scene);
        }
    }

    private static void inSavepoint(Scene scene) throws SQLException {
        scene.begin();
        scene.attempt("SAVEPOINT s");
        scene.expect("write in savepoint", scene.write(), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        refused(scene);
        scene.thaw();
        scene.begin();
        scene.attempt("SAVEPOINT s");
        scene.expect("write in savepoint", scene.write(), Session.OK);
        scene.attempt("ROLLBACK TO s");
        scene.rememberRows();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
    }

    private static void inRolledBack(Scene scene) throws SQLException {
        scene.begin();
        scene.expect("first write", scene.write(), Session.OK);
        scene.attempt("ROLLBACK");
        scene.begin();
        scene.rememberRows();
        written(scene);
        scene.begin();
        scene.expect("third write", scene.write(), Session.OK);
        scene.attempt("ROLLBACK");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        refused(scene);
    }

    private static void frozenTwice(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        for (int i = 0; i < 3; i++) {
            scene.expect("freeze", scene.freeze(), Mover.DONE);
            scene.begin();
            refused(scene);
            scene.thaw();
            scene.writeEarlier(scene.cell().level());
        }
    }

    private static void otherFreezes(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        scene.expect("freeze of another", scene.stage().mover().freeze(scene.other(), Mover.PATIENT), Mover.DONE);
        scene.begin();
        scene.rememberRows();
        written(scene);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        refused(scene);
    }

    private static void freezeRolledBack(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        scene.takeSnapshot();
        Session mover = scene.stage().mover().session();
        mover.run("BEGIN");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        mover.run("ROLLBACK");
        scene.rememberRows();
        written(scene);
    }

    /** The mover has the tenant's lock already, but has not closed it. */
    private static void beforeCounting(Scene scene) throws Exception {
        scene.writeEarlier(scene.cell().level());
        Session mover = scene.stage().mover().session();
        mover.run("BEGIN");
        mover.run(scene.fill("SELECT pg_advisory_xact_lock(hashtextextended('{a}', 4711))"));
        scene.rememberRows();
        scene.begin();
        scene.send(scene::write);
        scene.expect("writer waits", scene.sentWaits());
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        mover.run("COMMIT");
        scene.expect("write", scene.sentOutcome(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    /** The pass for the second tenant is got after the first has frozen: nothing else makes it worthless. */
    private static void changed(Scene scene, String table) throws SQLException {
        scene.expect(
                "seed",
                scene.attempt("INSERT INTO " + table + " (tenant_id, p) VALUES ('{a}', 1), ('{b}', 1)"),
                Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        for (String write : List.of(
                "UPDATE " + table + " SET tenant_id = '{b}' WHERE tenant_id = '{a}'",
                "UPDATE " + table + " SET tenant_id = '{a}' WHERE tenant_id = '{b}'",
                "UPDATE " + table + " SET tenant_id = '{b}', p = 2 WHERE tenant_id = '{a}'",
                "UPDATE " + table + " SET v = 1 WHERE tenant_id IN ('{a}', '{b}')")) {
            scene.begin();
            String pass = "INSERT INTO " + table + " (tenant_id, p) VALUES ('{b}', 1)";
            scene.expect("write of the other", scene.attempt(pass), Session.OK);
            scene.expect(write, scene.attempt(write), FROZEN);
            scene.attempt("COMMIT");
        }
    }

    private static void rowsOfAnother(Scene scene) throws SQLException {
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        for (String rows : List.of("('{b}'), ('{b}'), ('{a}')", "('{a}'), ('{b}')", "('{b}'), ('{a}'), ('{b}')")) {
            scene.begin();
            String insert = "INSERT INTO shop.bulk_text (tenant_id) VALUES ";
            scene.expect("write of the other", scene.attempt(insert + "('{b}')"), Session.OK);
            scene.expect(rows, scene.attempt(insert + rows), FROZEN);
            scene.attempt("COMMIT");
        }
    }

    private static void deferred(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        CursorCourses.deferredAtCommit(scene);
    }

    private static void prepared(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        FenceCourses.preparedTransaction(scene);
        scene.begin();
        refused(scene);
    }

    /** Where the guard has to look, it locks the row above READ COMMITTED; where it remembers, it need not look. */
    private static void noRowLock(Scene scene) throws SQLException {
        if (!scene.stage().shop().installed()) {
            return;
        }
        scene.writeEarlier(scene.cell().level());
        String before =
                scene.stage().observer().value(ROW_LOCKER, scene.tenant().name());
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        String after = scene.stage().observer().value(ROW_LOCKER, scene.tenant().name());
        scene.expect("the last locker of the ownership row", after, before);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
    }

    private static void reset(Scene scene, String reset) throws SQLException {
        String slot = Pass.of(scene.stage().writer(), scene.tenant()).setting();
        scene.writeEarlier(scene.cell().level());
        scene.expect(reset, scene.attempt(reset.replace("slot", slot)), Session.OK);
        scene.rememberRows();
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.attempt(reset.replace("slot", slot));
        scene.begin();
        refused(scene);
    }

    private static void resetInTransaction(Scene scene) throws SQLException {
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("reset", scene.attempt("RESET ALL"), Session.OK);
        scene.attempt("SELECT pg_advisory_unlock_all()");
        scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        refused(scene);
    }

    private static void written(Scene scene) throws SQLException {
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
    }

    /** The transaction that has begun does not write. */
    static void refused(Scene scene) throws SQLException {
        scene.rememberRows();
        scene.expect("write", scene.write(), FROZEN, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }
}
