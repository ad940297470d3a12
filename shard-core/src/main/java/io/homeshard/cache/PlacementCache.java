package io.homeshard.cache;

import io.homeshard.directory.Directory;
import io.homeshard.model.Placement;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;

/**
 * A directory that remembers what it read, and takes news of changes. Thread-safe.
 *
 * <p>A placement never replaces one of a higher map version, in whatever order reads and news arrive.
 */
public interface PlacementCache extends Directory {
    /**
     * Decorates a directory.
     *
     * @param directory the truth
     * @param config limits
     * @param clocks time
     * @param listener hears of placements that changed
     * @return a cache without entries
     */
    static PlacementCache over(Directory directory, CacheConfig config, Clocks clocks, ShardListener listener) {
        return new CachedPlacements(directory, config, clocks, listener);
    }

    /**
     * News: a placement as the directory has it now.
     *
     * @param placement the placement
     */
    void accept(Placement placement);

    /**
     * News: the directory has no placement of this tenant any more.
     *
     * @param tenant the tenant
     * @param mapVersion version of the directory that took it away
     */
    void removed(TenantId tenant, long mapVersion);

    /**
     * Makes the next look at a tenant a read of the directory.
     *
     * @param tenant the tenant
     */
    void refresh(TenantId tenant);

    /** Makes the next look at any shard a read of the directory. */
    void refreshShards();

    /**
     * News: the directory may have gone back in time, or changes may have been missed. Every placement is read again
     * before it is used while the directory answers, and its version no longer counts.
     */
    void reset();
}
