package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Passes that were given for something else, put where they do not belong. */
final class PassForgery {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String CLOSINGS = "(SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = 'homeshard' AND c.relname = 'closings')";

    private PassForgery() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("pass of another tenant in the same slot", PassForgery::sameSlot);
        courses.put("pass of another tenant, copied", scene -> copied(scene, false));
        courses.put("pass of another tenant, copied and renamed", scene -> copied(scene, true));
        courses.put("pass of an earlier opening, put back", PassForgery::replayed);
        courses.put("pass of an earlier opening in another session", PassForgery::carried);
        courses.put("the number of closings is not to be read", PassForgery::notReadable);
        return courses;
    }

    /** The neighbour is refused before the other has a pass, so that only the pass could let it through. */
    private static void sameSlot(Scene scene) throws SQLException {
        Subject neighbour = Pass.neighbour(scene.stage().writer(), scene.tenant());
        frozen(scene, neighbour);
        scene.writeEarlier(scene.cell().level());
        refused(scene, neighbour, FROZEN);
        Subject unknown = Pass.neighbour(scene.stage().writer(), neighbour.again());
        refused(scene, unknown, NOT_OWNED);
        scene.rememberRows();
        scene.begin();
        scene.expect("write", scene.write(), Session.OK);
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
        scene.expectOtherRows();
    }

    private static void copied(Scene scene, boolean renamed) throws SQLException {
        Session writer = scene.stage().writer();
        Subject victim = Pass.neighbour(writer, scene.other());
        frozen(scene, victim);
        scene.writeEarlier(scene.cell().level());
        Pass own = Pass.of(writer, scene.tenant());
        Pass forged = renamed ? own.renamed(scene.tenant(), victim) : own;
        forged.in(Pass.of(writer, victim)).plant(writer);
        refused(scene, victim, FROZEN);
    }

    private static void replayed(Scene scene) throws SQLException {
        Session writer = scene.stage().writer();
        scene.writeEarlier(scene.cell().level());
        Pass first = Pass.of(writer, scene.tenant());
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.thaw();
        scene.writeEarlier(scene.cell().level().next());
        Pass second = Pass.of(writer, scene.tenant());
        scene.expect("freeze again", scene.freeze(), Mover.DONE);
        for (Pass old : List.of(first, second)) {
            old.plant(writer);
            scene.begin();
            PassCourses.refused(scene);
        }
    }

    private static void carried(Scene scene) throws SQLException {
        scene.writeEarlier(scene.cell().level());
        Pass pass = Pass.of(scene.stage().writer(), scene.tenant());
        try (Session other = Session.of(scene.stage().shop().connectAsApp())) {
            pass.plant(other);
            other.run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
            scene.expect("write", other.attempt(scene.fill(scene.cell().kind().statement())), Session.OK);
            scene.expect("freeze", scene.freezeBriefly(), Mover.BUSY);
            other.run("COMMIT");
            scene.expect("freeze", scene.freeze(), Mover.DONE);
            scene.expect("write", other.attempt(scene.fill(scene.cell().kind().statement())), FROZEN);
        }
    }

    private static void notReadable(Scene scene) throws SQLException {
        for (String number : List.of(
                "SELECT last_value FROM homeshard.closings",
                "SELECT nextval('homeshard.closings')",
                "SELECT nextval(" + CLOSINGS + ")",
                "SELECT currval(" + CLOSINGS + ")",
                "SELECT setval(" + CLOSINGS + ", 1)")) {
            scene.expect(number, scene.attempt(number), INSUFFICIENT_PRIVILEGE);
        }
        for (String number : List.of(
                "SELECT pg_sequence_last_value(" + CLOSINGS + ")",
                "SELECT last_value FROM pg_sequences WHERE schemaname = 'homeshard' AND sequencename = 'closings'")) {
            String read = Session.outcome(
                    () -> scene.expect(number, scene.stage().writer().value(number), "null"));
            scene.expect(number, read, Session.OK, INSUFFICIENT_PRIVILEGE);
        }
    }

    private static void frozen(Scene scene, Subject tenant) throws SQLException {
        scene.stage().mover().own(tenant);
        scene.expect("freeze", scene.stage().mover().freeze(tenant, Mover.PATIENT), Mover.DONE);
    }

    private static void refused(Scene scene, Subject tenant, String state) throws SQLException {
        scene.begin();
        String write = Session.outcome(() -> Jdbc.update(
                scene.stage().writer().connection(),
                "INSERT INTO shop.note_text (tenant_id) VALUES (?)",
                tenant.name()));
        scene.expect("write of " + state, write, state);
        scene.attempt("ROLLBACK");
    }
}
