package io.homeshard.migrate.drain;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MoveJournal;
import io.homeshard.migrate.move.MoveEngine;
import io.homeshard.observe.Clocks;
import io.homeshard.placement.PlacementPolicy;

/**
 * What drains are made of.
 *
 * @param engine moves
 * @param directory where tenants live, read without any cache
 * @param admin who lives on a shard; changes its status
 * @param journal the journal of moves
 * @param policy chooses among the targets
 * @param clocks time
 */
public record DrainParts(
        MoveEngine engine,
        Directory directory,
        DirectoryAdmin admin,
        MoveJournal journal,
        PlacementPolicy policy,
        Clocks clocks) {}
