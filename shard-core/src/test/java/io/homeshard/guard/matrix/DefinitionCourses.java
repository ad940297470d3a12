package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.GUARD_INCOMPLETE;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A guard that is not as it was installed: the mover must notice before it relies on it. */
final class DefinitionCourses {
    private static final List<String> TABLES = List.of("shop.note_text", "shop.part2", "shop.memo_old");

    private DefinitionCourses() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        for (String table : TABLES) {
            for (char event : "iudt".toCharArray()) {
                String trigger = "zz_homeshard_guard_" + event;
                GuardDdl.of(table, trigger)
                        .forEach((name, change) -> courses.put(name + " " + table + " " + event, noticed(change)));
            }
        }
        GuardDdl.core().forEach((name, change) -> courses.put("changed: " + name, noticed(change)));
        return courses;
    }

    /** The change stays in the mover's transaction, so that it is gone when the cell is over. */
    private static Course noticed(String change) {
        return scene -> {
            Session mover = scene.stage().mover().session();
            mover.run("BEGIN");
            mover.run(change);
            scene.expect("freeze", scene.freeze(), GUARD_INCOMPLETE);
            mover.run("ROLLBACK");
            scene.expect("freeze when all is as before", scene.freeze(), Mover.DONE);
        };
    }

    /** A leaf of a guarded table that nobody has told the guard of. */
    static void laterLeaf(Scene scene) throws SQLException {
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        scene.attempt("CREATE TABLE shop.part9 PARTITION OF shop.part FOR VALUES IN (9)");
        scene.attempt("SAVEPOINT s");
        for (String table : List.of("shop.part", "shop.part9")) {
            String insert = "INSERT INTO " + table + " (tenant_id, p) VALUES ('{a}', 9)";
            scene.expect(insert, scene.attempt(insert), io.homeshard.internal.jdbc.SqlStates.FROZEN);
            scene.attempt("ROLLBACK TO s");
        }
    }
}
