package io.homeshard.directory;

import io.homeshard.model.Placement;
import io.homeshard.model.TenantId;

/** What a {@link PlacementFeed} tells. Exactly one of the three kinds; immutable. */
public sealed interface PlacementChange {
    /**
     * The version of the directory that brought it.
     *
     * @return the map version
     */
    long mapVersion();

    /**
     * A tenant has a new placement.
     *
     * @param placement what the directory said at that version
     */
    record Placed(Placement placement) implements PlacementChange {
        @Override
        public long mapVersion() {
            return placement.mapVersion();
        }
    }

    /**
     * A tenant has no placement any more.
     *
     * @param tenant the tenant
     * @param mapVersion the version of the directory that brought it
     */
    record Removed(TenantId tenant, long mapVersion) implements PlacementChange {}

    /**
     * Changes may have been missed: whatever was read before is doubtful, and so is any floor of versions. Told when
     * the feed connects for the first time and when the directory went back in time (restore, lossy fail-over).
     *
     * @param mapVersion where the directory is now; all later changes will be told
     */
    record Reset(long mapVersion) implements PlacementChange {}
}
