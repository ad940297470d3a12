package io.homeshard.guard;

import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What mends a shard's own records after a restore, a fail-over or by order of a person; {@link WriteGuard} has the steps
 * of everyday. Each step is one SQL function under an epoch, idempotent, committed with {@code synchronous_commit = on}.
 * Thread-safe; connections are the caller's, in autocommit unless said otherwise.
 */
public interface ShardMending {
    /**
     * The steps in SQL.
     *
     * @return the steps
     */
    static ShardMending create() {
        return new SqlShardMending();
    }

    /**
     * All tenants of which the shard has a record, in byte order of their names, a page at a time.
     *
     * @param shard the connection
     * @param after the last name of the page before, or the empty text
     * @param limit at most so many
     * @return the page
     * @throws SQLException as the driver says
     */
    List<Ownership> list(Connection shard, String after, int limit) throws SQLException;

    /**
     * The highest epoch that the shard has ever heard of.
     *
     * @param shard the connection
     * @return 0 when it has heard of none
     * @throws SQLException as the driver says
     */
    long highestEpoch(Connection shard) throws SQLException;

    /**
     * The tenant tables of the shard's own declaration, without partitions.
     *
     * @param shard the connection
     * @return their names
     * @throws SQLException as the driver says
     */
    List<TableName> tenantTables(Connection shard) throws SQLException;

    /**
     * Frozen or moved by this move, and taken over by this epoch: owned again, at a higher generation.
     *
     * @param shard the connection
     * @param token who
     * @param generation of the row
     * @param newGeneration as the directory gave it, higher
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult reopen(Connection shard, MoverToken token, long generation, long newGeneration) throws SQLException;

    /**
     * Owned at a generation that is over: moved. Waits for the tenant's writers; the rows stay.
     *
     * @param shard the connection
     * @param token who
     * @param generation of the row
     * @param owner the shard that owns the tenant
     * @param lockTimeout longest wait for the tenant's lock; SQLState 55P03 when it is over
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult disown(Connection shard, MoverToken token, long generation, ShardId owner, Duration lockTimeout)
            throws SQLException;

    /**
     * In the caller's transaction on the owner: nobody else writes for the tenant until it ends.
     *
     * @param shard the connection, not in autocommit
     * @param token who
     * @param generation at which it is owned
     * @param lockTimeout longest wait for the tenant's lock; SQLState 55P03 when it is over
     * @return done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult hold(Connection shard, MoverToken token, long generation, Duration lockTimeout) throws SQLException;
}
