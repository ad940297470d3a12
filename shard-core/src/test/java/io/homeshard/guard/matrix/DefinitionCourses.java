package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.GUARD_INCOMPLETE;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A guard that is not as it was installed: the mover must notice before it relies on it. */
final class DefinitionCourses {
    /** A table of each shape of the guard, and a leaf, with the names that its triggers have. */
    private static final Map<String, String> TABLES = Map.of(
            "shop.note_text", "zz_homeshard_guard_",
            "shop.bulk_text", "zz_homeshard_guard_",
            "shop.part", "zz_homeshard_tree_",
            "shop.part2", "zz_homeshard_tree_");

    /**
     * What PostgreSQL says when a leaf's copy of a trigger cannot be changed apart from its root's; up to 15 it calls
     * the renaming of a copy an internal error.
     */
    private static final List<String> IMPOSSIBLE = List.of("2BP01", "0A000", "42710", "XX000");

    private DefinitionCourses() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        TABLES.forEach((table, prefix) -> {
            for (char event : "iudt".toCharArray()) {
                String trigger = (event == 't' ? "zz_homeshard_guard_" : prefix) + event;
                GuardDdl.of(table, trigger)
                        .forEach((name, change) -> courses.put(
                                name + " " + table + " " + event, noticed(change, table.startsWith("shop.part"))));
            }
        });
        GuardDdl.core().forEach((name, change) -> courses.put("changed: " + name, noticed(change, false)));
        return courses;
    }

    /** The change stays in the mover's transaction, so that it is gone when the cell is over. */
    private static Course noticed(String change, boolean tree) {
        return scene -> {
            Session mover = scene.stage().mover().session();
            mover.run("BEGIN");
            String made = mover.attempt(change);
            if (made.equals(Session.OK)) {
                scene.expect("freeze", scene.freeze(), GUARD_INCOMPLETE);
            } else {
                scene.expect(change, tree && IMPOSSIBLE.contains(made) ? Session.OK : made, Session.OK);
            }
            mover.run("ROLLBACK");
            scene.expect("freeze when all is as before", scene.freeze(), Mover.DONE);
        };
    }

    /** A leaf of a guarded table that nobody has told the guard of, made by the owner of the table. */
    static void laterLeaf(Scene scene) throws SQLException {
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        String create = scene.attempt("CREATE TABLE shop.part9 PARTITION OF shop.part FOR VALUES IN (9)");
        scene.expect("leaf", create, Session.OK);
        scene.attempt("SAVEPOINT s");
        for (String table : List.of("shop.part", "shop.part9")) {
            String insert = "INSERT INTO " + table + " (tenant_id, p) VALUES ('{a}', 9)";
            scene.expect(insert, scene.attempt(insert), FROZEN);
            scene.attempt("ROLLBACK TO s");
        }
    }
}
