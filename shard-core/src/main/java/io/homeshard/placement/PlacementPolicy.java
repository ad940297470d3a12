package io.homeshard.placement;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;

/**
 * Chooses the shard of a <em>new</em> tenant. Implementations are thread-safe, do no I/O and give the same answer for
 * the same arguments, in whatever order the candidates come.
 */
@FunctionalInterface
public interface PlacementPolicy {
    /**
     * Chooses.
     *
     * @param tenant the new tenant
     * @param candidates shards that may take it
     * @return one of them
     * @throws io.homeshard.model.PlacementException when none of them takes new tenants
     */
    ShardId place(TenantId tenant, List<Shard> candidates);
}
