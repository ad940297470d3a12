package io.homeshard.migrate.preflight;

import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;

/** Looks for everything that could fail after the freeze, before it. Changes nothing. Thread-safe. */
public interface Preflight {
    /**
     * A preflight.
     *
     * @param parts what it is made of
     * @return a new one; it keeps no state
     */
    static Preflight of(PreflightParts parts) {
        return new CheckedPreflight(parts);
    }

    /**
     * Looks at both shards of a move.
     *
     * @param source to the shard that owns the tenant, in autocommit; left so
     * @param target to the shard that the tenant shall go to, in autocommit; left so
     * @param placement what the directory says of the tenant
     * @param targetShard name of the target
     * @return what was found, and how much there is to copy
     * @throws SQLException as the driver says
     */
    PreflightResult run(Connection source, Connection target, Placement placement, ShardId targetShard)
            throws SQLException;
}
