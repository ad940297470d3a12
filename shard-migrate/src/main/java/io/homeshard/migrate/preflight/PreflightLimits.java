package io.homeshard.migrate.preflight;

import java.time.Duration;

/**
 * What a move is going to allow itself, and what the target allows. Immutable and thread-safe.
 *
 * @param freezeTry longest wait for the tenant's lock in one attempt to freeze
 * @param check longest single look at a shard; what takes longer is told to be unchecked
 * @param silence how long a shard may give no sign of life meanwhile; longer than {@code check}
 * @param connections how many sessions the move opens on each shard
 * @param bytesPerSecond rate of the copy, at most
 * @param maxRowBytes longest row that the copy takes, as it goes over the wire
 * @param targetBytes how large the target's database may become; {@link Long#MAX_VALUE} for any size
 */
public record PreflightLimits(
        Duration freezeTry,
        Duration check,
        Duration silence,
        int connections,
        long bytesPerSecond,
        long maxRowBytes,
        long targetBytes) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public PreflightLimits {
        if (check.isNegative() || check.isZero()) {
            throw new IllegalArgumentException("check must be > 0, was " + check);
        }
        if (silence.compareTo(check) <= 0) {
            throw new IllegalArgumentException("silence must be > check " + check + ", was " + silence);
        }
        if (connections < 1 || bytesPerSecond < 1 || maxRowBytes < 1 || targetBytes < 0) {
            throw new IllegalArgumentException("connections, bytesPerSecond and maxRowBytes must be >= 1, targetBytes"
                    + " >= 0, were " + connections + ", " + bytesPerSecond + ", " + maxRowBytes + ", " + targetBytes);
        }
    }
}
