package io.homeshard.tenants;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a shard of a new epoch: from then on whoever has an older one can do nothing there. */
final class ShardFence {
    private static final Logger LOG = LoggerFactory.getLogger(ShardFence.class);

    private ShardFence() {}

    /** Ends the older one's sessions when they stand in the way. */
    static void raise(WriteGuard guard, Connection connection, MoverToken token) throws SQLException {
        try {
            guard.takeOver(connection, token);
        } catch (SQLException e) {
            if (SqlStates.find(e, SqlStates.LOCK_TIMEOUT) == null) {
                throw e;
            }
            int ended = guard.terminateOlder(connection, token);
            LOG.info("shard fence - ended sessions with older epochs (backends={})", ended);
            guard.takeOver(connection, token);
        }
    }
}
