package io.homeshard.pool;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.SQLException;

/**
 * Which errors cost a connection its place in the pool: those that say that it is gone, or that its server is about to
 * go. A refused write (25006) does not: it may be the application's own read-only transaction, or a shard that an
 * operator has made readonly; whoever borrowed the connection knows better and aborts it when its server has become a
 * standby.
 */
final class Eviction implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return SqlStates.connectionLost(failure) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
