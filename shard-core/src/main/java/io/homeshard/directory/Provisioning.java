package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.UUID;

/**
 * A tenant being created, as the journal has it.
 *
 * @param operation id of the creation; stands where a move's id stands on the shard
 * @param tenant the tenant
 * @param shard its shard
 * @param generation the generation it will have
 * @param epoch fencing token of whoever runs the operation
 * @param committed whether the directory says active already
 */
public record Provisioning(
        UUID operation, TenantId tenant, ShardId shard, long generation, long epoch, boolean committed) {}
