package io.homeshard.guard;

import io.homeshard.model.ShardId;
import java.util.UUID;

/**
 * Whose database this is, written at bootstrap.
 *
 * @param directory id of the directory that the shard belongs to
 * @param shard its name there
 * @param incarnation its incarnation there
 */
public record ShardIdentity(UUID directory, ShardId shard, int incarnation) {}
