package io.homeshard.directory;

import io.homeshard.model.Placement;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What routing needs to know of the directory. Implementations are thread-safe. Every method that may do I/O throws
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached; that is never
 * answered with "unknown".
 */
public interface Directory {
    /**
     * The directory in a database.
     *
     * @param dataSource hands out connections to it, in autocommit; Homeshard closes what it borrows, never the source
     * @return a directory that remembers nothing
     */
    static Directory jdbc(DataSource dataSource) {
        return new JdbcDirectory(dataSource);
    }

    /**
     * Where a tenant lives.
     *
     * @param tenant the tenant
     * @return its placement, or empty when the directory does not know it
     */
    Optional<Placement> find(TenantId tenant);

    /**
     * What is known of a tenant without any I/O.
     *
     * @param tenant the tenant
     * @return the newest placement this instance has seen, or empty
     */
    default Optional<Placement> known(TenantId tenant) {
        return Optional.empty();
    }

    /**
     * One shard.
     *
     * @param shard its id
     * @return its description, or empty
     */
    Optional<Shard> shard(ShardId shard);

    /**
     * All shards, by name.
     *
     * @return the shards
     */
    List<Shard> shards();

    /**
     * What stands between a tenant and a shard that it shall move to.
     *
     * @param tenant the tenant
     * @param shard the shard
     * @return the terms; a directory that only remembers places knows none
     */
    default Admission admission(TenantId tenant, ShardId shard) {
        return Admission.FREE;
    }

    /**
     * Told by the router when a shard refused a route: whoever remembers this generation must forget it.
     *
     * @param route the refused route
     */
    default void forget(Route route) {}

    /**
     * Told by the router when a shard has frozen the tenant of a route. The route is right, and about to change: whoever
     * remembers it asks again before the next use, and may go on using it while the directory is down.
     *
     * @param route the route
     */
    default void doubt(Route route) {}
}
