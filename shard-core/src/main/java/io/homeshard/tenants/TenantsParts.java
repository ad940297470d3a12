package io.homeshard.tenants;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.guard.WriteGuard;
import io.homeshard.placement.PlacementPolicy;
import io.homeshard.pool.ShardPools;
import java.util.Objects;

/**
 * What {@link Tenants} works with.
 *
 * @param directory reads the directory; one that remembers is welcome
 * @param admin changes the directory
 * @param guard talks to the shards' guards
 * @param pools opens connections to the shards
 * @param policy chooses the shard of a new tenant
 */
public record TenantsParts(
        Directory directory, DirectoryAdmin admin, WriteGuard guard, ShardPools pools, PlacementPolicy policy) {
    /** Checks that nothing is missing. */
    public TenantsParts {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(admin, "admin");
        Objects.requireNonNull(guard, "guard");
        Objects.requireNonNull(pools, "pools");
        Objects.requireNonNull(policy, "policy");
    }
}
