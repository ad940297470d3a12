package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.NO_TENANT;
import static io.homeshard.internal.jdbc.SqlStates.TRUNCATE;

import java.sql.SQLException;

/** Rows of no tenant, and TRUNCATE, which knows none. */
final class ValueCourses {
    private ValueCourses() {}

    /** In a session that never wrote: there a custom setting is null, not empty. */
    static void nullTenant(Scene scene) throws SQLException {
        try (Session unused = Session.of(scene.stage().shop().connectAsApp())) {
            unused.run("BEGIN ISOLATION LEVEL " + scene.cell().level().sql());
            String insert = unused.attempt("INSERT INTO shop.note_text (tenant_id) VALUES (NULL)");
            scene.expect("insert", insert, NO_TENANT);
        }
    }

    static void nullTenantByUpdate(Scene scene) throws SQLException {
        scene.expect("seed", scene.write(), Session.OK);
        scene.rememberRows();
        scene.begin();
        String update = scene.attempt("UPDATE shop.note_text SET tenant_id = NULL WHERE tenant_id = '{a}'");
        scene.expect("update", update, NO_TENANT);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    /** In a session that has written: there a custom setting is empty, not null. */
    static void emptyTenant(Scene scene) throws SQLException {
        scene.expect("write", scene.write(), Session.OK);
        scene.begin();
        String insert = scene.attempt("INSERT INTO shop.note_text (tenant_id) VALUES ('')");
        scene.expect("insert", insert, NO_TENANT);
    }

    static Course truncate(String table) {
        return scene -> {
            scene.begin();
            scene.expect("truncate", scene.attempt("TRUNCATE " + table), TRUNCATE);
        };
    }
}
