package io.homeshard.migrate.copy;

import java.util.function.BooleanSupplier;

/**
 * How fast a copy may go and how much it may hold in memory. Immutable; as thread-safe as its {@code paused}.
 *
 * @param bytesPerSecond mean rate of all streams together, at most; {@link #UNLIMITED} for as fast as it goes
 * @param parallelism how many streams run at once, at most; each needs a connection on both shards
 * @param maxRowBytes longest single row, as it goes over the wire; a longer one stops the copy
 * @param paused asked again and again while rows travel; while it says true nothing is read. Must be quick and
 *     thread-safe
 */
public record CopyLimits(long bytesPerSecond, int parallelism, long maxRowBytes, BooleanSupplier paused) {
    /** No limit on the rate of the copy. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final BooleanSupplier NEVER = Boolean.FALSE::booleanValue;
    private static final int DEFAULT_PARALLELISM = 4;
    private static final long DEFAULT_MAX_ROW_BYTES = 8L << 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public CopyLimits {
        atLeastOne("bytesPerSecond", bytesPerSecond);
        atLeastOne("parallelism", parallelism);
        atLeastOne("maxRowBytes", maxRowBytes);
    }

    /**
     * The defaults: no limit on the rate, four streams, rows of up to 8 MiB, never paused.
     *
     * @return the limits
     */
    public static CopyLimits defaults() {
        return new CopyLimits(UNLIMITED, DEFAULT_PARALLELISM, DEFAULT_MAX_ROW_BYTES, NEVER);
    }

    /**
     * The same with another rate.
     *
     * @param newBytesPerSecond at most, on average
     * @return a copy
     */
    public CopyLimits bytesPerSecond(long newBytesPerSecond) {
        return new CopyLimits(newBytesPerSecond, parallelism, maxRowBytes, paused);
    }

    /**
     * The same with another number of streams.
     *
     * @param newParallelism at most
     * @return a copy
     */
    public CopyLimits parallelism(int newParallelism) {
        return new CopyLimits(bytesPerSecond, newParallelism, maxRowBytes, paused);
    }

    /**
     * The same for longer or only shorter rows.
     *
     * @param newMaxRowBytes bytes of the longest row
     * @return a copy
     */
    public CopyLimits maxRowBytes(long newMaxRowBytes) {
        return new CopyLimits(bytesPerSecond, parallelism, newMaxRowBytes, paused);
    }

    /**
     * The same, stopping while something else says so.
     *
     * @param newPaused says whether to wait
     * @return a copy
     */
    public CopyLimits pausedWhile(BooleanSupplier newPaused) {
        return new CopyLimits(bytesPerSecond, parallelism, maxRowBytes, newPaused);
    }

    /** Whether a copy may stand still though nothing is wrong. */
    boolean mayHoldUp() {
        return bytesPerSecond != UNLIMITED || paused != NEVER;
    }

    private static void atLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be >= 1, was " + value);
        }
    }
}
