package io.homeshard;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.WriteGuard;
import io.homeshard.health.ShardHealth;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import io.homeshard.placement.PlacementPolicy;
import io.homeshard.pool.ShardPools;
import javax.sql.DataSource;

/**
 * What Homeshard is made of, for its own modules. Not API: it may change with any release.
 *
 * @param directoryDatabase connections to the directory database
 * @param directory the truth, read afresh at each call
 * @param admin changes to the directory; what this instance remembers is told of them
 * @param journal the journal of moves
 * @param guard talks to the guard on a shard
 * @param pools connections to shards
 * @param health which shards are usable
 * @param policy chooses the shard of a tenant that may live on any
 * @param tables the declaration of the application's tables
 * @param listener hears facts; does not throw
 * @param clocks time
 * @param config every number
 */
public record HomeshardParts(
        DataSource directoryDatabase,
        Directory directory,
        DirectoryAdmin admin,
        MoveJournal journal,
        WriteGuard guard,
        ShardPools pools,
        ShardHealth health,
        PlacementPolicy policy,
        TenantSchema tables,
        ShardListener listener,
        Clocks clocks,
        HomeshardConfig config) {}
