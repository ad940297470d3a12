package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.SQLException;

/** Tells which of both shards a failure came from. */
final class FailedSide {
    private FailedSide() {}

    /** After a failure, before anything is rolled back: where the transaction takes no statement any more. */
    static Side of(Scene scene) {
        return answers(scene.source()) ? scene.target() : scene.source();
    }

    private static boolean answers(Side side) {
        try {
            return Jdbc.one(side.connection(), "SELECT true", row -> row.getBoolean(1));
        } catch (SQLException e) {
            return false;
        }
    }
}
