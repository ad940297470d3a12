package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.List;

/** Tables that are declared ignored, and those that have no tenant. */
final class IgnoredCourses {
    private IgnoredCourses() {}

    /** Whatever stands in their tenant column. */
    static void writesPass(Scene scene) throws SQLException {
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.begin();
        for (String tenant : List.of("NULL", "''", "'nobody'", "'{a}'", "'{b}'")) {
            String insert = "INSERT INTO shop.scrap (tenant_id) VALUES (" + tenant + ")";
            scene.expect(insert, scene.attempt(insert), Session.OK);
        }
        for (String write : List.of(
                "UPDATE shop.scrap SET tenant_id = '{a}'",
                "DELETE FROM shop.scrap WHERE tenant_id = '{a}'",
                "TRUNCATE shop.scrap",
                "INSERT INTO shop.label DEFAULT VALUES")) {
            scene.expect(write, scene.attempt(write), Session.OK);
        }
        scene.expect("commit", scene.attempt("COMMIT"), Session.OK);
    }

    static void noFinding(Scene scene) throws SQLException {
        scene.expect("gaps", Integer.toString(scene.stage().mover().gaps()), "0");
        scene.expect("freeze", scene.freeze(), Mover.DONE);
    }
}
