package io.homeshard.tenants;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a reconciliation found. Immutable.
 *
 * @param dryRun whether nothing was to be changed
 * @param tenants how many tenants were looked at
 * @param differences in order of the tenants' names; those of the directory as a whole first
 * @param unreachable shards that gave no answer, and why; of tenants that may be there only, or whose owner could be there,
 *     nothing was decided
 */
public record ReconcileReport(
        boolean dryRun, long tenants, List<Difference> differences, Map<ShardId, String> unreachable) {
    /** Copies the collections. */
    public ReconcileReport {
        differences = List.copyOf(differences);
        unreachable = Map.copyOf(new TreeMap<>(unreachable));
    }

    /**
     * Whether directory and all shards agree now.
     *
     * @return true when every difference was mended and every shard was asked
     */
    public boolean complete() {
        return unreachable.isEmpty()
                && differences.stream().allMatch(difference -> difference.outcome() == Difference.Outcome.MENDED);
    }

    /**
     * The differences of one tenant.
     *
     * @param tenant the tenant
     * @return empty when there is none
     */
    public List<Difference> of(TenantId tenant) {
        return differences.stream()
                .filter(difference -> tenant.equals(difference.tenant()))
                .toList();
    }
}
