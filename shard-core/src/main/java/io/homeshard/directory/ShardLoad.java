package io.homeshard.directory;

import io.homeshard.model.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * How full a shard is by count of tenants. Immutable.
 *
 * @param shard the shard
 * @param tenants tenants that live there or are on their way there
 * @param maxTenants so many it takes, or null for any number
 */
public record ShardLoad(
        ShardId shard, long tenants, @Nullable Long maxTenants) {
    /**
     * Whether one more tenant may come.
     *
     * @return false when it is full
     */
    public boolean hasRoom() {
        return maxTenants == null || tenants < maxTenants;
    }

    /**
     * The same with one tenant more.
     *
     * @return a copy
     */
    public ShardLoad plusOne() {
        return new ShardLoad(shard, tenants + 1, maxTenants);
    }
}
