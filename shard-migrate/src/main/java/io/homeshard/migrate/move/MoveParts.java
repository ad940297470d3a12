package io.homeshard.migrate.move;

import io.homeshard.directory.Directory;
import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.pool.ShardPools;

/**
 * What a mover is made of.
 *
 * @param directory where tenants live, read without any cache
 * @param journal the journal of moves
 * @param guard talks to the shards
 * @param pools opens connections to the shards
 * @param tables the declaration
 * @param clocks time
 * @param config times and limits
 */
public record MoveParts(
        Directory directory,
        MoveJournal journal,
        WriteGuard guard,
        ShardPools pools,
        TenantSchema tables,
        Clocks clocks,
        MoveConfig config) {}
