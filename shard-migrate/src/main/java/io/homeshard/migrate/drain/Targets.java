package io.homeshard.migrate.drain;

import io.homeshard.directory.ShardLoad;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shards that may take the tenants of one that is emptied, as long as they have room. Used by one thread. */
final class Targets {
    private final PlacementPolicy policy;
    private final Map<ShardId, ShardLoad> loads = new HashMap<>();
    private final List<Shard> candidates = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    private Targets(PlacementPolicy policy) {
        this.policy = policy;
    }

    static Targets of(Shard drained, DrainConfig config, DrainParts parts) {
        Targets targets = new Targets(parts.policy());
        parts.admin().loads().forEach(load -> targets.loads.put(load.shard(), load));
        for (Shard shard : parts.directory().shards()) {
            String reason = reason(shard, drained, config);
            if (reason == null) {
                // the policy gives nothing to a shard without weight, but a person may
                targets.candidates.add(shard.weight() == 0 ? shard.weight(1) : shard);
            } else {
                targets.leftOut.add(shard.id() + " " + reason);
            }
        }
        return targets;
    }

    /** Why a shard may not take a tenant, or null. */
    private static @Nullable String reason(Shard shard, Shard drained, DrainConfig config) {
        if (shard.id().equals(drained.id())) {
            return "is drained";
        }
        if (shard.status() != ShardStatus.ACTIVE) {
            return "is " + shard.status();
        }
        if (!config.targets().isEmpty()) {
            return config.targets().contains(shard.id()) ? null : "is not among the targets";
        }
        if (shard.dedicated()) {
            return "is dedicated";
        }
        if (shard.weight() == 0) {
            return "has weight 0";
        }
        return config.anyRegion() || Objects.equals(shard.region(), drained.region())
                ? null
                : "is in region " + shard.region();
    }

    /** The shard for a tenant, whose room it takes; empty when none has any. */
    Optional<ShardId> take(TenantId tenant) {
        List<Shard> open =
                candidates.stream().filter(shard -> hasRoom(shard.id())).toList();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        ShardId chosen = policy.place(tenant, open);
        loads.computeIfPresent(chosen, (shard, load) -> load.plusOne());
        return Optional.of(chosen);
    }

    private boolean hasRoom(ShardId shard) {
        ShardLoad load = loads.get(shard);
        return load == null || load.hasRoom();
    }

    /** Why each of the shards takes none, for people. */
    List<String> refusals() {
        List<String> refusals = new ArrayList<>(leftOut);
        candidates.stream()
                .map(Shard::id)
                .filter(shard -> !hasRoom(shard))
                .forEach(shard -> refusals.add(shard + " is full"));
        return refusals;
    }
}
