package io.homeshard.guard;

import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Talks to the guard of one shard over a connection that the caller owns. Each step is one SQL function; unless a
 * method says otherwise it is called in autocommit, in one round trip, and is idempotent: repeated after a lost answer
 * it says {@code already done}. SQLExceptions carry the guard's SQLStates ({@code docs/errors.md}). Thread-safe.
 */
public interface WriteGuard {
    /**
     * The guard whose SQL lies under {@code io/homeshard/db/shard}.
     *
     * @return a guard without state
     */
    static WriteGuard create() {
        return new SqlWriteGuard(Clocks.system());
    }

    /**
     * Stores the declaration and puts the guard on every tenant table (and partition, and inheritance child) that it
     * names and that lacks it, or has it in an older form. Each table is changed whole in a short transaction of its
     * own, so that none is without guard meanwhile. Idempotent; waits at most {@code lockTimeout} for each table and
     * tries again. The guard goes off a table only where the declaration names it as ignored or reference, or the tenant
     * column is gone.
     *
     * @param shard a connection in autocommit, as the owner of schema {@code homeshard}
     * @param tables the declaration
     * @param lockTimeout longest wait for one lock; writers queue no longer than that
     * @return the guarded tables
     * @throws SQLException 55P03 when a table stayed in use, which the message names: it is as it was, and a repeated
     *     call goes on from there
     * @throws io.homeshard.model.SchemaMismatchException when the declaration says nothing of a table that is guarded, as
     *     that of an older build; nothing was changed
     */
    List<TableName> install(Connection shard, TenantSchema tables, Duration lockTimeout) throws SQLException;

    /**
     * Withdraws the declaration and takes the guard off every table, for a team that leaves Homeshard; readers of a
     * table wait too while it is changed. Refused, with nothing touched, while a tenant is frozen or incoming here, or
     * has moved and left rows behind. Afterwards nothing refuses a write that comes by an old route; {@code freeze}
     * fails with HS006; records of tenants stay, so that routers go on, and {@code DROP SCHEMA homeshard CASCADE}
     * reaches nothing outside that schema. Idempotent: when it stopped half way, call it again, or {@link #install}
     * to have all back.
     *
     * @param shard a connection in autocommit, READ COMMITTED, as the owner of schema {@code homeshard}
     * @param lockTimeout longest wait for one table; readers and writers queue no longer than that
     * @return done, already done, or why not, with the number of tenants that stand in the way
     * @throws SQLException 55P03 when a table stayed in use, which the message names: it is as it was
     */
    StepResult remove(Connection shard, Duration lockTimeout) throws SQLException;

    /**
     * Holes in the guard, compared with the declaration.
     *
     * @param shard the connection
     * @return empty when complete
     * @throws SQLException as the driver says
     */
    List<GuardGap> unguarded(Connection shard) throws SQLException;

    /**
     * Writes who this shard is; refused when it already is somebody else.
     *
     * @param shard the connection
     * @param identity the identity
     * @return done, already done or why not
     * @throws SQLException as the driver says
     */
    StepResult identify(Connection shard, ShardIdentity identity) throws SQLException;

    /**
     * What this shard says of itself, in one statement.
     *
     * @param shard the connection
     * @return version of its schema and identity
     * @throws SQLException as the driver says
     */
    ShardSelf self(Connection shard) throws SQLException;

    /**
     * Who this shard is.
     *
     * @param shard the connection
     * @return the identity, or empty when it was never bootstrapped
     * @throws SQLException as the driver says
     */
    default Optional<ShardIdentity> identity(Connection shard) throws SQLException {
        return self(shard).identity();
    }

    /**
     * The shard's own record of a tenant.
     *
     * @param shard the connection
     * @param tenant the tenant
     * @return the record, or empty
     * @throws SQLException as the driver says
     */
    Optional<Ownership> ownership(Connection shard, TenantId tenant) throws SQLException;

    /**
     * Raises the fence to the token's epoch (also where there is no row) and re-stamps the row of this move with epoch
     * and attempt. Waits for transactions of older movers of this tenant; {@code lock_timeout} of the session bounds it.
     *
     * @param shard the connection
     * @param token the new mover
     * @return done, already done, or why not
     * @throws SQLException 55P03 when an older mover's transaction is still open
     */
    StepResult takeOver(Connection shard, MoverToken token) throws SQLException;

    /**
     * Ends transactions of older movers of this move, known by their application name.
     *
     * @param shard the connection
     * @param token the new mover
     * @return number of backends told to end
     * @throws SQLException as the driver says
     */
    int terminateOlder(Connection shard, MoverToken token) throws SQLException;

    /**
     * Target: an incoming row. Replaces only its own move's, or a moved row of lower generation.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the generation the tenant will have here
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult reserve(Connection shard, MoverToken token, long generation) throws SQLException;

    /**
     * Source: one attempt to freeze. Takes table locks, checks the guard, takes the tenant's lock exclusively, changes
     * the row.
     *
     * @param shard the connection, READ COMMITTED
     * @param token the mover
     * @param generation the generation owned here
     * @param lockTimeout longest wait for a lock; must stay below {@code deadlock_timeout}
     * @return done, already done or why not
     * @throws SQLException 55P03 busy, try again; HS006 guard incomplete; HS004 old epoch
     */
    StepResult freeze(Connection shard, MoverToken token, long generation, Duration lockTimeout) throws SQLException;

    /**
     * Source: owned again. Only after the directory has said ABORTING.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the generation owned here
     * @return done, already done (owned, nothing to thaw) or why not (moved)
     * @throws SQLException HS004 for an old epoch
     */
    StepResult unfreeze(Connection shard, MoverToken token, long generation) throws SQLException;

    /**
     * In the caller's transaction: holds ROW EXCLUSIVE on all declared tenant tables until it ends, so that nobody
     * changes tables or triggers meanwhile.
     *
     * @param shard the connection, not in autocommit
     * @param lockTimeout longest wait for one lock
     * @throws SQLException 55P03 when DDL is under way
     */
    void holdTables(Connection shard, Duration lockTimeout) throws SQLException;

    /**
     * In the caller's transaction: admits this mover's writes for its own tenant until the transaction ends.
     *
     * @param shard the connection, not in autocommit
     * @param token the mover
     * @throws SQLException HS004 for an old epoch or foreign move
     */
    void enterMover(Connection shard, MoverToken token) throws SQLException;

    /**
     * Target: the rows of this attempt were compared and are complete.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the incoming generation
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult markVerified(Connection shard, MoverToken token, long generation) throws SQLException;

    /**
     * Source: frozen to moved.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the generation that was owned here
     * @param target where it went
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult markMoved(Connection shard, MoverToken token, long generation, ShardId target) throws SQLException;

    /**
     * Target: incoming to owned; demands the marker of this attempt.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the incoming generation
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult activate(Connection shard, MoverToken token, long generation) throws SQLException;

    /**
     * Target: gives the reservation up; refused while rows of the tenant are left. A moved row that it had replaced
     * comes back.
     *
     * @param shard the connection
     * @param token the mover
     * @param generation the incoming generation
     * @return done, already done or why not
     * @throws SQLException HS004 for an old epoch
     */
    StepResult release(Connection shard, MoverToken token, long generation) throws SQLException;

    /**
     * Deletes a batch of the tenant's rows of one table, where the shard holds it incoming or moved by this move.
     *
     * @param shard the connection
     * @param token the mover
     * @param table the table
     * @param limit most rows
     * @return rows deleted; fewer than {@code limit} means none are left
     * @throws SQLException HS004 for an old epoch or foreign move
     */
    long sweep(Connection shard, MoverToken token, TableName table, int limit) throws SQLException;

    /**
     * The application name that a mover's sessions on a shard carry, by which {@link #terminateOlder} knows them.
     *
     * @param token the mover
     * @return at most 63 bytes
     */
    static String applicationName(MoverToken token) {
        return "hs-move " + token.move() + " " + token.epoch();
    }
}
