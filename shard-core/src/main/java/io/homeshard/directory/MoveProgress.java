package io.homeshard.directory;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * How far the copy of a move is. What is expected comes from estimates and is corrected table by table as the true
 * figures become known. Immutable.
 *
 * @param move the move
 * @param attempt the attempt that copies
 * @param rows rows that have arrived, at least 0
 * @param bytes bytes that have arrived, at least 0
 * @param expectedRows rows that there will be, as far as known
 * @param expectedBytes bytes that there will be, as far as known
 * @param complete whether the copy is complete; comparing and flipping come after it
 * @param elapsed time since the copy began
 * @param at when this was so: by the directory's clock when it was read there, else by the mover's
 */
public record MoveProgress(
        UUID move,
        int attempt,
        long rows,
        long bytes,
        long expectedRows,
        long expectedBytes,
        boolean complete,
        Duration elapsed,
        Instant at) {
    /** No unfinished copy claims more than this. */
    private static final double ALMOST = 0.99;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a figure is negative
     */
    public MoveProgress {
        if (rows < 0 || bytes < 0 || expectedRows < 0 || expectedBytes < 0 || elapsed.isNegative()) {
            throw new IllegalArgumentException("progress must be >= 0, was rows " + rows + ", bytes " + bytes
                    + ", expectedRows " + expectedRows + ", expectedBytes " + expectedBytes + ", elapsed " + elapsed);
        }
    }

    /**
     * The part of the bytes that has arrived.
     *
     * @return 0 to 1; 1 only when the copy is complete, however wrong the estimate was
     */
    public double share() {
        if (complete) {
            return 1;
        }
        return expectedBytes == 0 ? 0 : Math.min(ALMOST, (double) bytes / expectedBytes);
    }

    /**
     * Time that the copy still takes, at the pace so far.
     *
     * @return empty when nothing can be said: nothing has arrived yet, or more than was expected
     */
    public Optional<Duration> timeLeft() {
        if (complete) {
            return Optional.of(Duration.ZERO);
        }
        if (bytes == 0 || bytes >= expectedBytes) {
            return Optional.empty();
        }
        double millis = (double) elapsed.toMillis() * (expectedBytes - bytes) / bytes;
        return Optional.of(Duration.ofMillis(Math.round(millis)));
    }
}
