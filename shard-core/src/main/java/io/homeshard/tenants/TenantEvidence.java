package io.homeshard.tenants;

import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a tenant, as it was at one moment: the directory was the same before and after the shards were read.
 *
 * @param tenant the tenant
 * @param placement what the directory says, or null
 * @param creating whether a creation of it is in the journal
 * @param known the highest generation in the directory's history
 * @param moves its moves, newest first
 * @param rows what the shards say
 * @param silent shards that could not be asked
 */
record TenantEvidence(
        TenantId tenant,
        @Nullable Placement placement,
        boolean creating,
        long known,
        List<MoveRecord> moves,
        Map<ShardId, Ownership> rows,
        Set<ShardId> silent) {
    TenantEvidence {
        moves = List.copyOf(moves);
        rows = new TreeMap<>(rows);
        silent = Set.copyOf(silent);
    }

    /** A shard and its record. */
    record Row(ShardId shard, Ownership ownership) {
        OwnershipState state() {
            return ownership.state();
        }

        long generation() {
            return ownership.generation();
        }

        boolean by(UUID move) {
            return move.equals(ownership.move());
        }

        /** Whether the target's rows were compared by the very attempt that the row names. */
        boolean verified() {
            return ownership.verifiedAttempt() != null
                    && ownership.verifiedAttempt().equals(ownership.attempt());
        }

        String text() {
            return "shard " + shard + " has it " + state() + " at generation " + generation();
        }
    }

    Optional<MoveRecord> unfinished() {
        return moves.stream().filter(move -> !move.phase().finished()).findFirst();
    }

    Optional<MoveRecord> move(@Nullable UUID id) {
        return moves.stream().filter(move -> move.id().equals(id)).findFirst();
    }

    /** Records in these states, the highest generation first. */
    List<Row> in(OwnershipState... states) {
        Set<OwnershipState> wanted = Set.of(states);
        return rows.entrySet().stream()
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .filter(row -> wanted.contains(row.state()))
                .sorted(Comparator.comparingLong(Row::generation).reversed())
                .toList();
    }

    /** The highest generation that anybody knows. */
    long highest() {
        long highest = Math.max(known, placement == null ? 0 : placement.generation());
        for (Ownership row : rows.values()) {
            highest = Math.max(highest, row.generation());
        }
        return highest;
    }

    /** Directory and shards agree, and nothing is left over: nearly every tenant, nearly always. */
    static boolean plain(@Nullable Placement placement, Map<ShardId, Ownership> rows) {
        if (placement == null || placement.state() != PlacementState.ACTIVE) {
            return false;
        }
        Ownership home = rows.get(placement.shard());
        if (home == null || home.state() != OwnershipState.OWNED || home.generation() != placement.generation()) {
            return false;
        }
        return rows.entrySet().stream()
                .allMatch(row -> row.getKey().equals(placement.shard())
                        || (row.getValue().state() == OwnershipState.MOVED
                                && row.getValue().generation() < home.generation()));
    }

    String placementText() {
        return placement == null
                ? "the directory does not know it"
                : "the directory says " + placement.shard() + " at generation " + placement.generation() + ", "
                        + placement.state();
    }
}
