package io.homeshard.pool;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;

/** Connections to shards. Thread-safe. */
public interface ShardPools extends AutoCloseable {
    /**
     * Pools that connect through the driver which {@link java.sql.DriverManager} knows for the shard's address.
     *
     * @param config limits of each pool
     * @param credentials asked for every physical connection
     * @param check looks at every physical connection before it is used
     * @param clocks time
     * @return pools, none of which exists yet
     */
    static ShardPools hikari(
            PoolConfig config, Function<Shard, ShardCredentials> credentials, ConnectionCheck check, Clocks clocks) {
        ShardDatabase database = new ShardDatabase(credentials, check, config.connectionTimeout());
        return new HikariShardPools(config, database, new PoolRetirement(clocks));
    }

    /**
     * Borrows a connection of the shard's pool, which is created on first use without making other shards wait. Closing
     * it gives it back.
     *
     * @param shard the shard as the directory describes it; a changed address replaces the pool
     * @return a connection in autocommit
     * @throws SQLException {@code SQLTransientConnectionException} that names the shard, limit and use, within the
     *     connection timeout
     */
    Connection borrow(Shard shard) throws SQLException;

    /**
     * Opens a physical connection of its own, apart from the pool, checked like a pooled one: for movers, roll-outs and
     * probes. The caller closes it.
     *
     * @param shard the shard
     * @param applicationName name by which others know the session, at most 63 bytes
     * @return a connection in autocommit
     * @throws SQLException when it cannot be had
     */
    Connection open(Shard shard, String applicationName) throws SQLException;

    /**
     * Opens a physical connection without the identity check: for the roll-out of a shard that has no identity yet.
     *
     * @param shard the shard
     * @param applicationName name by which others know the session
     * @return a connection in autocommit
     * @throws SQLException when it cannot be had
     */
    Connection openUnchecked(Shard shard, String applicationName) throws SQLException;

    /**
     * Use of a shard's pool.
     *
     * @param shard the shard
     * @return its figures, or empty when it has no pool yet
     */
    Optional<PoolStats> stats(ShardId shard);

    /**
     * Starts the pool of a shard afresh: connections that are idle end now, borrowed ones when they are given back. Used
     * when a dead shard answers again.
     *
     * @param shard the shard
     */
    default void renew(ShardId shard) {}

    /**
     * Closes all pools. Borrowed connections end when they are given back. From here on there is no other: the cause of
     * what is thrown is {@link io.homeshard.model.HomeshardClosedException}.
     */
    @Override
    void close();
}
