package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Copies units, each in one transaction on the target under the mover's token. Thread-safe; each thread brings its own
 * connections.
 *
 * @param guard admits the writes
 * @param token the mover
 * @param mode whether triggers and foreign keys take notice
 * @param pace shared by all streams
 * @param progress is told
 */
record UnitCopy(WriteGuard guard, MoverToken token, LoadMode mode, CopyPace pace, CopyProgress progress) {
    private static final String DEFER = "SET CONSTRAINTS ALL DEFERRED";

    /** The source is in the snapshot, and knows the tenant; the target is in autocommit. */
    void copy(CopyUnit unit, Connection source, Connection target) throws SQLException {
        try {
            pace.hold(progress); // before there is a transaction on the target that would idle
            send(unit, source, target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BrokenStreams.interrupted(e);
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
            CopyTime time = pace.begin(connection);
            long rows = 0;
            for (CopyPart part : unit.parts()) {
                progress.started(part);
                rows += new TableStream(part, progress, time).run(source, connection);
                progress.sent(part);
            }
            time.end(connection);
            return rows;
        });
    }
}
