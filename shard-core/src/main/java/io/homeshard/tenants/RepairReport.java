package io.homeshard.tenants;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;

/**
 * What a repair did. Immutable.
 *
 * @param finished tenants whose creation was finished
 * @param undone tenants whose creation was undone: they do not exist
 * @param left creations that could not be ended this time
 */
public record RepairReport(List<TenantId> finished, List<TenantId> undone, List<Left> left) {
    /** Copies the lists. */
    public RepairReport {
        finished = List.copyOf(finished);
        undone = List.copyOf(undone);
        left = List.copyOf(left);
    }

    /**
     * A creation that could not be ended.
     *
     * @param tenant the tenant
     * @param shard its shard
     * @param why what stood in the way; the next repair tries again
     */
    public record Left(TenantId tenant, ShardId shard, String why) {}

    /**
     * Whether nothing is left.
     *
     * @return true when every creation that was due is ended
     */
    public boolean complete() {
        return left.isEmpty();
    }
}
