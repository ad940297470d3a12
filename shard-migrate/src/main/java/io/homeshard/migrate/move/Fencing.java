package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A shard is told of the mover's epoch, so that nothing that an older mover has under way can land later. Waits for the
 * older mover's transactions; those that do not end are ended.
 */
record Fencing(MoveSession session) {
    private static final Duration PAUSE = Duration.ofMillis(50);

    void source() throws SQLException {
        raise(session.source(), session.move().source());
    }

    void target() throws SQLException {
        raise(session.target(), session.move().target());
    }

    private void raise(Connection connection, ShardId shard) throws SQLException {
        long deadline =
                session.lease().now() + session.config().steps().reachPatience().toNanos();
        while (true) {
            session.lease().checkHeld();
            try {
                StepResult result = session.guard().takeOver(connection, session.token());
                MoveStopped.unlessOk(result, "take over on shard " + shard);
                return;
            } catch (SQLException e) {
                if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState())
                        || session.lease().now() > deadline) {
                    throw e;
                }
            }
            session.guard().terminateOlder(connection, session.token());
            session.pause(PAUSE);
        }
    }
}
