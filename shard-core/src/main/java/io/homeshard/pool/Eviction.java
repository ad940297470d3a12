package io.homeshard.pool;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Which errors cost a connection its place in the pool, beyond those of a lost connection, which the pool knows: a
 * server that has become a standby (25006) answers every check and refuses every write, so only a new connection finds
 * the new primary.
 */
final class Eviction implements SQLExceptionOverride {
    private static final String READ_ONLY = "25006";
    private static final String SERVER_GOING_OR_COMING = "57P0";

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        String state = failure.getSQLState();
        boolean useless = state != null && (state.equals(READ_ONLY) || state.startsWith(SERVER_GOING_OR_COMING));
        return useless ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
