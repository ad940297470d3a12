package io.homeshard.migrate.gather;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryMending;
import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.pool.ShardPools;
import java.time.Duration;

/**
 * What a gathering works with.
 *
 * @param directory where tenants live, read without any cache
 * @param journal the journal of moves
 * @param mending gives epochs, keeps evidence
 * @param guard talks to the shards
 * @param pools opens connections to the shards
 * @param tables the declaration
 * @param clocks time
 * @param patience how long to ask for the tenant's lock at home, and how long a single statement may take
 */
public record GatherParts(
        Directory directory,
        MoveJournal journal,
        DirectoryMending mending,
        WriteGuard guard,
        ShardPools pools,
        TenantSchema tables,
        Clocks clocks,
        Duration patience) {}
