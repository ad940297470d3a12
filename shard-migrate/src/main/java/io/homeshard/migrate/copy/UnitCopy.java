package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.throttle.Throttle;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Copies units, each in one transaction on the target under the mover's token. Thread-safe; each thread brings its own
 * connections.
 *
 * @param guard admits the writes
 * @param token the mover
 * @param mode whether triggers and foreign keys take notice
 * @param throttle shared by all streams
 * @param maxRowBytes longest row
 * @param progress is told
 */
record UnitCopy(
        WriteGuard guard, MoverToken token, LoadMode mode, Throttle throttle, long maxRowBytes, CopyProgress progress) {
    private static final String DEFER = "SET CONSTRAINTS ALL DEFERRED";

    /** The source is in the snapshot, and knows the tenant; the target is in autocommit. */
    void copy(CopyUnit unit, Connection source, Connection target) throws SQLException {
        try {
            send(unit, source, target);
        } catch (SQLException e) {
            throw BrokenStreams.of(unit.parts().get(0).name(), e);
        }
        unit.parts().forEach(progress::committed);
    }

    private void send(CopyUnit unit, Connection source, Connection target) throws SQLException {
        LoadTransaction.run(target, mode, connection -> {
            guard.enterMover(connection, token);
            if (unit.deferred()) {
                Jdbc.run(connection, DEFER);
            }
            long rows = 0;
            for (CopyPart part : unit.parts()) {
                progress.started(part);
                rows += new TableStream(part, progress, throttle, maxRowBytes).run(source, connection);
                progress.sent(part);
            }
            return rows;
        });
    }
}
