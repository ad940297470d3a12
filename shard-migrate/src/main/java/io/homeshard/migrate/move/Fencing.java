package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
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
        raise(session.source(), session.move().source(), Step.FENCE_SOURCE, Step.END_OLDER_ON_SOURCE);
    }

    void target() throws SQLException {
        raise(session.target(), session.move().target(), Step.FENCE_TARGET, Step.END_OLDER_ON_TARGET);
    }

    private void raise(Connection connection, ShardId shard, Step fence, Step endOlder) throws SQLException {
        long deadline =
                session.lease().now() + session.config().steps().reachPatience().toNanos();
        boolean last = false;
        while (true) {
            session.lease().checkHeld();
            try {
                session.require(
                        fence,
                        "take over on shard " + shard,
                        () -> session.guard().takeOver(connection, session.token()));
                return;
            } catch (SQLException e) {
                if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) || last) {
                    throw e;
                }
                // once the older mover's sessions are ended there is one more try, however late it is
                last = session.lease().now() > deadline;
            }
            session.step(endOlder, () -> session.guard().terminateOlder(connection, session.token()));
            session.pause(PAUSE);
        }
    }
}
