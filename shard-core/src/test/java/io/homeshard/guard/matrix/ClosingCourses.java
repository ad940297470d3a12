package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** An owner who closes a tenant by hand, past the mover's functions. */
final class ClosingCourses {
    private static final String FREEZE = """
            UPDATE homeshard.ownership SET state = 'frozen', move_id = gen_random_uuid(), mover_epoch = 1, attempt = 1
             WHERE tenant_id = '{a}'""";
    private static final String THAW = "UPDATE homeshard.ownership SET state = 'owned' WHERE tenant_id = '{a}'";
    private static final String DELETE = "DELETE FROM homeshard.ownership WHERE tenant_id = '{a}'";
    private static final String RENAME =
            "UPDATE homeshard.ownership SET tenant_id = tenant_id || 'x' WHERE tenant_id = '{a}'";
    private static final String INSERT =
            "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES ('{a}', 1, 'owned')";

    private ClosingCourses() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("closed by hand under an open writer", scene -> underWriter(scene, FREEZE, FROZEN));
        courses.put("deleted by hand under an open writer", scene -> underWriter(scene, DELETE, NOT_OWNED));
        courses.put("renamed by hand under an open writer", scene -> underWriter(scene, RENAME, NOT_OWNED));
        courses.put("closed by hand, snapshot before", scene -> snapshotBefore(scene, FREEZE, FROZEN));
        courses.put("deleted by hand, snapshot before", scene -> snapshotBefore(scene, DELETE, NOT_OWNED));
        courses.put("closed and opened by hand, snapshot before", scene -> reopened(scene, FREEZE, THAW));
        courses.put("deleted and made again by hand, snapshot before", scene -> reopened(scene, DELETE, INSERT));
        courses.put("closed by hand as a replica", ClosingCourses::asReplica);
        courses.put("ownership truncated by hand", ClosingCourses::truncated);
        courses.put("mover's write of an incoming tenant leaves no pass", scene -> moverWrote(scene, true));
        courses.put("mover's delete of a moved tenant leaves no pass", scene -> moverWrote(scene, false));
        return courses;
    }

    /** The writer has a pass from before; that makes no difference to the hand. */
    private static void underWriter(Scene scene, String closing, String state) throws Exception {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        scene.sendByHand(closing);
        scene.expect("the hand waits", scene.sentWaits());
        scene.expect("second write", scene.write(), Session.OK, SERIALIZATION_FAILURE, "40P01");
        scene.attempt("COMMIT");
        scene.expect("by hand", scene.sentOutcome(), Session.OK, "40P01");
        refused(scene, state);
    }

    private static void snapshotBefore(Scene scene, String closing, String state) throws Exception {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        scene.takeSnapshot();
        byHand(scene, closing);
        scene.rememberRows();
        scene.expect("write", scene.write(), state, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
        refused(scene, state);
    }

    private static void reopened(Scene scene, String closing, String opening) throws Exception {
        scene.writeEarlier(scene.cell().level());
        scene.begin();
        scene.takeSnapshot();
        byHand(scene, closing);
        byHand(scene, opening);
        boolean fixed = scene.cell().level() != Level.READ_COMMITTED;
        scene.expect("write", scene.write(), fixed ? SERIALIZATION_FAILURE : Session.OK);
    }

    private static void asReplica(Scene scene) throws Exception {
        scene.writeEarlier(scene.cell().level());
        scene.stage().observer().run("SET session_replication_role = replica");
        byHand(scene, FREEZE);
        refused(scene, FROZEN);
    }

    /** It would close all at once, behind nobody's lock. */
    private static void truncated(Scene scene) throws Exception {
        scene.writeEarlier(scene.cell().level());
        Session owner = scene.stage().observer();
        scene.expect("truncate", owner.attempt("TRUNCATE homeshard.ownership"), "HS003");
    }

    /** In the mover's session what it may do in one transaction it may not do in the next. */
    private static void moverWrote(Scene scene, boolean incoming) throws SQLException {
        String delete = "DELETE FROM shop.note_text WHERE tenant_id = '{a}'";
        String insert = "INSERT INTO shop.note_text (tenant_id) VALUES ('{a}')";
        scene.expect("two rows", scene.attempt(insert + ", ('{a}')"), Session.OK);
        scene.moveAway();
        Mover mover = scene.stage().mover();
        if (incoming) {
            scene.next(scene.tenant().returning());
            mover.reserve(scene.tenant());
        }
        String one = scene.fill(delete + " AND id = (SELECT max(id) FROM shop.note_text WHERE tenant_id = '{a}')");
        mover.session().run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
        mover.enter(scene.tenant());
        scene.expect("delete as mover", mover.session().attempt(one), Session.OK);
        mover.session().run("COMMIT");
        scene.rememberRows();
        String state = incoming ? FROZEN : NOT_OWNED;
        scene.expect("delete as nobody", mover.session().attempt(scene.fill(delete)), state);
        scene.expect("insert as nobody", mover.session().attempt(scene.fill(insert)), state);
        scene.expect("write", scene.write(), state);
        scene.expectSameRows();
    }

    private static void byHand(Scene scene, String sql) throws SQLException {
        scene.expect("by hand", scene.stage().observer().attempt(scene.fill(sql)), Session.OK);
    }

    private static void refused(Scene scene, String state) throws SQLException {
        scene.rememberRows();
        scene.begin();
        scene.expect("write afterwards", scene.write(), state);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }
}
