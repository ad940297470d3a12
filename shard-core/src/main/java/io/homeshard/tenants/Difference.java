package io.homeshard.tenants;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * One thing about which directory and shards disagree. Immutable.
 *
 * @param kind what it is
 * @param tenant the tenant, or null when it is about the directory as a whole
 * @param shard the shard whose record is meant, or null
 * @param what how things were found
 * @param outcome what became of it
 * @param remedy what is left to do, empty when nothing is
 */
public record Difference(
        DifferenceKind kind,
        @Nullable TenantId tenant,
        @Nullable ShardId shard,
        String what,
        Outcome outcome,
        String remedy) {
    /** What became of a difference. */
    public enum Outcome {
        /** Mended by this run. */
        MENDED,
        /** A run that is not dry would mend it. */
        WOULD_MEND,
        /** Must be decided by a person, or mended by another call; the remedy says which. */
        LEFT,
        /** Cannot be decided while a shard does not answer. */
        UNDECIDED
    }
}
