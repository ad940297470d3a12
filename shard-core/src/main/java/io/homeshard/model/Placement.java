package io.homeshard.model;

/**
 * Which shard owns a tenant, as the directory says. Immutable and thread-safe.
 *
 * @param tenant the tenant
 * @param shard its shard
 * @param generation counts changes of ownership of this tenant, from 1; never falls
 * @param state what the tenant may do
 * @param mapVersion version of the whole directory that brought this row
 */
public record Placement(TenantId tenant, ShardId shard, long generation, PlacementState state, long mapVersion) {}
