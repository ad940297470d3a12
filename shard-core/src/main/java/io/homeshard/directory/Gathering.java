package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.UUID;

/**
 * Rows of a tenant are brought home, or put aside, from shards that do not own it.
 *
 * @param id a new id
 * @param tenant the tenant
 * @param home the shard that owns it
 * @param generation at which it does
 * @param epoch fencing token of whoever does it
 */
public record Gathering(UUID id, TenantId tenant, ShardId home, long generation, long epoch) {}
