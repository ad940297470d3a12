package io.homeshard.examples.quickstart;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.UUID;

/**
 * An order whose COMMIT was answered, as the client logged it.
 *
 * @param order its id
 * @param tenant its company
 * @param shard the shard that the client's route named
 * @param begun monotonic nanoseconds at the begin of the checkout, retries included
 * @param acknowledged monotonic nanoseconds at the answer
 */
record Acknowledged(UUID order, TenantId tenant, ShardId shard, long begun, long acknowledged) {}
