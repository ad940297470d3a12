package io.homeshard.model;

/**
 * What a router resolved for one scope. Pinned for the scope. Immutable and thread-safe.
 *
 * @param tenant the tenant
 * @param shard the shard that its statements go to
 * @param generation the generation under which the shard owned the tenant
 */
public record Route(TenantId tenant, ShardId shard, long generation) {}
