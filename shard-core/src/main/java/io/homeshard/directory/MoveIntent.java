package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.UUID;

/**
 * A move that is to be journaled. Immutable.
 *
 * @param move a new id
 * @param tenant an active tenant without unfinished move
 * @param target a shard in service other than its own
 * @param terms when it may freeze the tenant, and for how long
 */
public record MoveIntent(UUID move, TenantId tenant, ShardId target, MoveTerms terms) {}
