package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.SQLException;

/** A write to a tenant that is not, or not yet, or no longer here. */
final class StateCourses {
    private StateCourses() {}

    static void unknown(Scene scene) throws SQLException {
        Jdbc.update(
                scene.stage().observer().connection(),
                "DELETE FROM homeshard.ownership WHERE tenant_id = ?",
                scene.tenant().name());
        refused(scene, NOT_OWNED);
    }

    static void incoming(Scene scene) throws SQLException {
        scene.moveAway();
        scene.stage().mover().reserve(scene.tenant().returning());
        refused(scene, FROZEN);
    }

    static void moved(Scene scene) throws SQLException {
        scene.moveAway();
        refused(scene, NOT_OWNED);
    }

    private static void refused(Scene scene, String state) throws SQLException {
        scene.rememberRows();
        scene.begin();
        scene.expect("write", scene.write(), state);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }
}
