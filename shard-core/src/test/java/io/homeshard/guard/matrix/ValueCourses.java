package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.NO_TENANT;
import static io.homeshard.internal.jdbc.SqlStates.TRUNCATE;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows of no tenant, and TRUNCATE, which knows none. */
final class ValueCourses {
    /** Tables whose guards may differ in kind; each has the column p or gets a value that does no harm. */
    private static final List<String> TABLES = List.of("shop.note_text", "shop.part", "shop.part2", "shop.memo_old");

    private ValueCourses() {}

    static Map<String, Course> all() {
        Map<String, Course> courses = new TreeMap<>();
        courses.put("null tenant", ValueCourses::inUnusedSession);
        for (String table : TABLES) {
            courses.put("no tenant, insert into " + table, scene -> inserted(scene, table));
            courses.put("no tenant, copy into " + table, scene -> copied(scene, table));
            courses.put("no tenant, update of " + table, scene -> updated(scene, table));
            courses.put("no tenant, merge into " + table, scene -> merged(scene, table));
        }
        for (String table : List.of("shop.note_text", "shop.part", "shop.part1", "shop.part2", "shop.parent CASCADE")) {
            courses.put("truncate " + table, truncate(table));
        }
        return courses;
    }

    /** In a session that never wrote a custom setting is null, not empty. */
    private static void inUnusedSession(Scene scene) throws SQLException {
        try (Session unused = Session.of(scene.stage().shop().connectAsApp())) {
            unused.run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
            String insert = unused.attempt("INSERT INTO shop.note_text (tenant_id) VALUES (NULL)");
            scene.expect("insert", insert, NO_TENANT);
        }
    }

    private static void inserted(Scene scene, String table) throws SQLException {
        String rows = "INSERT INTO " + table + columns(table) + " VALUES (%s%s)";
        for (String none : List.of("NULL", "''")) {
            refused(scene, () -> scene.attempt(rows.formatted(none, part(table))));
            refused(
                    scene,
                    () -> scene.attempt(rows.formatted("'{a}'", part(table)) + ", (" + none + part(table) + ")"));
        }
    }

    private static void copied(Scene scene, String table) throws SQLException {
        String copy = "COPY " + table + columns(table) + " FROM STDIN";
        String rest = part(table).isEmpty() ? "" : "\t2";
        for (String none : List.of("\\N", "")) {
            String rows = scene.fill("{a}" + rest + "\n" + none + rest + "\n");
            refused(scene, () -> scene.stage().writer().attemptCopy(copy, rows));
        }
    }

    private static void updated(Scene scene, String table) throws SQLException {
        seed(scene, table);
        for (String none : List.of("NULL", "''")) {
            refused(
                    scene,
                    () -> scene.attempt("UPDATE " + table + " SET tenant_id = " + none + " WHERE tenant_id = '{a}'"));
        }
    }

    private static void merged(Scene scene, String table) throws SQLException {
        seed(scene, table);
        for (String none : List.of("NULL", "''")) {
            refused(
                    scene,
                    () -> scene.attempt("MERGE INTO " + table + " t USING (SELECT 1) s ON t.tenant_id = '{a}'"
                            + " WHEN MATCHED THEN UPDATE SET tenant_id = " + none
                            + " WHEN NOT MATCHED THEN DO NOTHING"));
            refused(
                    scene,
                    () -> scene.attempt(
                            "MERGE INTO " + table + " t USING (SELECT 1) s ON false WHEN NOT MATCHED THEN INSERT"
                                    + columns(table) + " VALUES (" + none + part(table) + ")"));
        }
    }

    private static void seed(Scene scene, String table) throws SQLException {
        String insert = "INSERT INTO " + table + columns(table) + " VALUES ('{a}'" + part(table) + ")";
        scene.expect("seed", scene.attempt(insert), Session.OK);
    }

    private static void refused(Scene scene, Background.Sending write) throws SQLException {
        scene.begin();
        scene.expect("write", write.run(), NO_TENANT);
        scene.attempt("ROLLBACK");
    }

    private static String columns(String table) {
        return part(table).isEmpty() ? " (tenant_id)" : " (tenant_id, p)";
    }

    private static String part(String table) {
        return table.startsWith("shop.part") ? ", 2" : "";
    }

    private static Course truncate(String table) {
        return scene -> {
            scene.begin();
            scene.expect("truncate", scene.attempt("TRUNCATE " + table), TRUNCATE);
        };
    }
}
