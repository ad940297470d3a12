package io.homeshard.tenants;

import io.homeshard.model.PlacementException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Why shards do not take a new tenant, and what an operator can do about each. */
final class LeftOut {
    /** A message is read by people: of more shards the others look alike. */
    private static final int NAMED = 20;

    private LeftOut() {}

    /** Whether a policy may choose the shard. */
    static boolean isCandidate(Shard shard) {
        return shard.status() == ShardStatus.ACTIVE && !shard.dedicated() && shard.weight() > 0;
    }

    /** No shard is a candidate. */
    static PlacementException all(List<Shard> shards, Set<ShardId> neverRolledOut) {
        if (shards.isEmpty()) {
            return new PlacementException(
                    "placement - no shard is registered: shards().add(..), then SchemaRollout.migrate()", null);
        }
        String reasons = shards.stream()
                .limit(NAMED)
                .map(shard -> reason(shard, neverRolledOut))
                .collect(Collectors.joining("; "));
        String others = shards.size() > NAMED ? "; and " + (shards.size() - NAMED) + " more" : "";
        return new PlacementException("placement - no shard takes new tenants: " + reasons + others, null);
    }

    /** The shard that was asked for is not active. */
    static PlacementException named(Shard shard, Set<ShardId> neverRolledOut) {
        return new PlacementException(
                "shard " + shard.id() + " - takes no new tenants: " + reason(shard, neverRolledOut) + " (status="
                        + status(shard) + ")",
                null);
    }

    private static String reason(Shard shard, Set<ShardId> neverRolledOut) {
        if (shard.status() != ShardStatus.ACTIVE) {
            return shard.id() + " is " + status(shard) + ": "
                    + (neverRolledOut.contains(shard.id())
                            ? "its schema was never rolled out, SchemaRollout.migrate()"
                            : "shards().setStatus(.., ACTIVE) when it may take them");
        }
        String why = shard.dedicated() ? " is dedicated" : " has weight=" + shard.weight();
        return shard.id() + why + ": takes tenants by tenants().createOn(..) only";
    }

    private static String status(Shard shard) {
        return shard.status().name().toLowerCase(Locale.ROOT);
    }
}
