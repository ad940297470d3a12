package io.homeshard.tenants;

import io.homeshard.model.ShardId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the evidence of one tenant shows, and which steps would mend it.
 *
 * @param kind what it is
 * @param shard the shard whose record is meant, or null
 * @param what how things are
 * @param remedy what a person can do, when there are no steps
 * @param undecided whether a shard that does not answer could change it
 * @param steps in order, empty when it cannot be mended here
 */
record Verdict(
        DifferenceKind kind, @Nullable ShardId shard, String what, String remedy, boolean undecided, List<Mend> steps) {
    Verdict {
        steps = List.copyOf(steps);
    }

    static Verdict mendable(DifferenceKind kind, @Nullable ShardId shard, String what, List<Mend> steps) {
        return new Verdict(kind, shard, what, "", false, steps);
    }

    static Verdict left(DifferenceKind kind, @Nullable ShardId shard, String what, String remedy) {
        return new Verdict(kind, shard, what, remedy, false, List.of());
    }

    /** The same, not to be acted upon while shards are silent that could hold the truth. */
    Verdict unless(Set<ShardId> silent) {
        return silent.isEmpty()
                ? this
                : new Verdict(
                        kind,
                        shard,
                        what,
                        "reconcile again when every shard answers, the owner may be there (shards=" + silent + ")",
                        true,
                        List.of());
    }
}
