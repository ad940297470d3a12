package io.homeshard.observe;

import io.homeshard.model.Route;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;

/**
 * Facts as they happen. Every method does nothing by default; implementations must be thread-safe, quick, and must not
 * throw (what they throw is swallowed).
 */
public interface ShardListener {
    /** Hears nothing. */
    ShardListener NONE = new ShardListener() {};

    /**
     * A scope resolved its route.
     *
     * @param route the route
     */
    default void routeResolved(Route route) {}

    /**
     * A shard's guard refused a statement.
     *
     * @param route the route under which it was sent
     * @param sqlState the guard's SQLState
     */
    default void guardRefused(Route route, String sqlState) {}

    /**
     * A shard is known to be dead from now on.
     *
     * @param shard the shard
     * @param cause what was seen
     */
    default void shardDown(ShardId shard, Throwable cause) {}

    /**
     * A dead shard answers again, or has a new address, of which nothing bad is known.
     *
     * @param shard the shard
     */
    default void shardUp(ShardId shard) {}

    /**
     * The cache learned that a placement changed.
     *
     * @param tenant the tenant
     * @param mapVersion version of the directory that brought it
     */
    default void placementChanged(TenantId tenant, long mapVersion) {}

    /**
     * The same listener, with everything that it throws logged and swallowed.
     *
     * @param listener the application's listener
     * @return a listener that does not throw
     */
    static ShardListener guarded(ShardListener listener) {
        return listener == NONE || listener instanceof GuardedListener ? listener : new GuardedListener(listener);
    }
}
