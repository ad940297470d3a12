package io.homeshard.tenants;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.DirectoryMending;
import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.ShardMending;
import io.homeshard.guard.WriteGuard;
import io.homeshard.pool.ShardPools;
import java.util.Objects;

/**
 * What {@link Reconciliation} works with.
 *
 * @param directory reads the directory, without any cache
 * @param admin lists its tenants
 * @param journal the journal of moves
 * @param directoryMending mends the directory
 * @param guard talks to the shards' guards
 * @param shardMending mends the shards' records
 * @param pools opens connections to the shards
 */
public record ReconciliationParts(
        Directory directory,
        DirectoryAdmin admin,
        MoveJournal journal,
        DirectoryMending directoryMending,
        WriteGuard guard,
        ShardMending shardMending,
        ShardPools pools) {
    /** Checks that nothing is missing. */
    public ReconciliationParts {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(admin, "admin");
        Objects.requireNonNull(journal, "journal");
        Objects.requireNonNull(directoryMending, "directoryMending");
        Objects.requireNonNull(guard, "guard");
        Objects.requireNonNull(shardMending, "shardMending");
        Objects.requireNonNull(pools, "pools");
    }
}
