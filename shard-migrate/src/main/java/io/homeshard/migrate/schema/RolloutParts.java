package io.homeshard.migrate.schema;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.pool.ShardPools;

/**
 * What a roll-out needs.
 *
 * @param directory lists the shards
 * @param admin puts a complete shard into service
 * @param pools opens connections to shards
 * @param guard installs the guard
 * @param tables which tables to guard
 * @param clocks time
 */
public record RolloutParts(
        Directory directory,
        DirectoryAdmin admin,
        ShardPools pools,
        WriteGuard guard,
        TenantSchema tables,
        Clocks clocks) {}
