package io.homeshard.directory;

import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the directory other than moves. Same rules as {@link MoveJournal}: one SQL function per step, idempotent,
 * synchronous commit. Thread-safe.
 */
public interface DirectoryAdmin {
    /**
     * The directory in a database.
     *
     * @param dataSource hands out connections to it, in autocommit; Homeshard closes what it borrows, never the source
     * @return its administration
     */
    static DirectoryAdmin jdbc(DataSource dataSource) {
        return new JdbcDirectoryAdmin(dataSource);
    }

    /**
     * Who this directory is.
     *
     * @return its identity
     * @throws io.homeshard.model.SchemaMismatchException when the directory schema is absent, too old or too new
     */
    DirectoryIdentity identity();

    /**
     * Registers a shard, offline until its schema was rolled out. Repeating it with the same values changes nothing.
     *
     * @param shard the shard; its number 0 means "give one"
     * @return the shard as registered
     * @throws IllegalArgumentException when the name or the address is registered with other values, or the name is that
     *     of a shard that was removed
     */
    Shard addShard(Shard shard);

    /**
     * Sets the status of a shard.
     *
     * @param shard the shard
     * @param status the new status
     * @throws IllegalArgumentException when the shard is unknown, or is to be active although its schema was never
     *     rolled out
     */
    void setStatus(ShardId shard, ShardStatus status);

    /**
     * Takes a shard out of use for ever. Its name and its number are never given again: the journal names it, and its
     * number is in ids. Its database is not touched. Repeating it changes nothing.
     *
     * @param shard the shard
     * @throws IllegalArgumentException when the directory has never known it
     * @throws io.homeshard.model.ShardInUseException when placements, creations, unfinished moves or retained rows refer
     *     to it, or it is active; says which, and what to do
     */
    void removeShard(ShardId shard);

    /**
     * The shards on which no roll-out has been complete yet.
     *
     * @return their names
     */
    Set<ShardId> neverRolledOut();

    /**
     * Told after the first complete roll-out on a shard: it becomes active. Later calls change nothing, so that an
     * operator's {@code offline} stays.
     *
     * @param shard the shard
     */
    void bootstrapped(ShardId shard);

    /**
     * Begins to create a tenant: placement {@code provisioning}, journaled with an epoch.
     *
     * @param tenant the tenant
     * @param shard its shard
     * @param operation a new id
     * @param lease after which others may repair
     * @return the journaled operation
     * @throws io.homeshard.model.TenantExistsException when there is a placement already
     * @throws io.homeshard.model.PlacementException when the shard is unknown or not active
     */
    Provisioning beginCreate(TenantId tenant, ShardId shard, UUID operation, Duration lease);

    /**
     * Placement {@code provisioning} to {@code active}, under the operation's epoch.
     *
     * @param provisioning the operation
     * @return done, already done or why not
     */
    StepResult commitCreate(Provisioning provisioning);

    /**
     * Forgets the journal entry of an operation whose shard has answered that it is complete.
     *
     * @param provisioning the operation
     * @return done, already done or why not
     */
    StepResult endCreate(Provisioning provisioning);

    /**
     * Removes the placement of an operation that was not committed; the generation stays used.
     *
     * @param provisioning the operation, with the epoch of whoever took it over
     * @return done, already done or why not
     */
    StepResult undoCreate(Provisioning provisioning);

    /**
     * Gives up the lease of an operation that whoever runs it cannot bring to an end now, so that the next repair need
     * not wait for it. Nothing else changes.
     *
     * @param provisioning the operation
     * @return done, already done (the operation is over) or why not (another has it)
     */
    StepResult leaveCreate(Provisioning provisioning);

    /**
     * Takes over operations whose lease has run out: each gets a higher epoch.
     *
     * @param lease the lease from now on
     * @return the operations, with {@code committed} telling whether to finish or to undo
     */
    List<Provisioning> takeOverCreates(Duration lease);

    /**
     * Placements of all tenants in byte order of their names, a page at a time.
     *
     * @param after the last tenant of the page before, or empty
     * @param limit at most this many
     * @return the placements
     */
    List<Placement> list(Optional<TenantId> after, int limit);

    /**
     * Placements of one shard's tenants in whatever state, in byte order of their names, a page at a time.
     *
     * @param shard the shard
     * @param after the last tenant of the page before, or empty
     * @param limit at most this many, at least 1
     * @return the placements
     */
    List<Placement> listOn(ShardId shard, Optional<TenantId> after, int limit);

    /**
     * How full the shards are.
     *
     * @return one for each shard, by name
     */
    List<ShardLoad> loads();

    /**
     * Says how much a shard takes; moves to it are refused beyond that. Tenants that are there already stay.
     *
     * @param shard the shard
     * @param maxTenants so many tenants, or null for any number
     * @param maxBytes so large its database may become, or null for any size
     * @throws IllegalArgumentException when the shard is unknown or a number is negative
     */
    void setCapacity(ShardId shard, @Nullable Long maxTenants, @Nullable Long maxBytes);

    /**
     * Says where a tenant has to live; moves to shards of another region are refused. It stays where it is now.
     *
     * @param tenant the tenant
     * @param region label of shards, or null for anywhere
     * @throws io.homeshard.model.UnknownTenantException when the directory does not know the tenant
     */
    void requireRegion(TenantId tenant, @Nullable String region);
}
