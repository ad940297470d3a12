package io.homeshard.placement;

import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Weighted consistent hashing: a shard has points on a ring of unsigned 64-bit positions in proportion to its weight,
 * and a tenant goes to the next point at or after its own position. Adding a shard takes tenants from the others and
 * moves nothing between them; raising a weight only adds points. Thread-safe.
 */
public final class HashRing implements PlacementPolicy {
    private final PositionHash hash;
    /** Guards the exchange of {@link #ring}; building is pure computation. */
    private final ReentrantLock building = new ReentrantLock();

    private volatile Ring ring = Ring.EMPTY;

    HashRing(PositionHash hash) {
        this.hash = hash;
    }

    /**
     * The ring with SHA-256, which places equally on every machine, in every locale and release.
     *
     * @return a policy that remembers the ring of the candidates it saw last
     */
    public static HashRing create() {
        return new HashRing(PositionHash.sha256());
    }

    @Override
    public ShardId place(TenantId tenant, List<Shard> candidates) {
        Map<ShardId, Integer> weights = new TreeMap<>();
        for (Shard shard : candidates) {
            if (shard.weight() > 0) {
                weights.put(shard.id(), shard.weight());
            }
        }
        if (weights.isEmpty()) {
            throw new PlacementException(
                    "placement - no shard takes new tenants (candidates="
                            + candidates.stream()
                                    .map(shard -> shard.id() + " weight " + shard.weight())
                                    .toList() + ")",
                    null);
        }
        return ringOf(weights).owner(hash.position(tenant.value()));
    }

    private Ring ringOf(Map<ShardId, Integer> weights) {
        Ring known = ring;
        if (known.weights().equals(weights)) {
            return known;
        }
        building.lock();
        try {
            if (!ring.weights().equals(weights)) {
                ring = Ring.of(weights, hash);
            }
            return ring;
        } finally {
            building.unlock();
        }
    }
}
