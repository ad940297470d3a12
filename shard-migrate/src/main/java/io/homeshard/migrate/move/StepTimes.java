package io.homeshard.migrate.move;

import java.time.Duration;

/**
 * How long a mover waits for the databases. Immutable and thread-safe.
 *
 * @param reachPatience how long a step is tried again while its database cannot be reached
 * @param lock longest wait for a lock in any step but the freeze
 * @param answer how long a shard may take to answer a step that touches few rows, or give no sign of life while it works
 *     on many; longer than {@code lock}
 * @param statement longest single statement: the copy or comparison of the largest table. Time in which the copy is paused
 *     or held up by its rate does not count
 */
public record StepTimes(Duration reachPatience, Duration lock, Duration answer, Duration statement) {
    /**
     * Checks that the values go together.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public StepTimes {
        MoveConfig.positive("reachPatience", reachPatience);
        MoveConfig.positive("lock timeout", lock);
        MoveConfig.positive("answer timeout", answer);
        MoveConfig.positive("statement timeout", statement);
        if (answer.compareTo(lock) <= 0) {
            throw new IllegalArgumentException("answer timeout must be > lock timeout " + lock + ", was " + answer);
        }
    }

    /**
     * The same with another patience.
     *
     * @param newReachPatience for databases that cannot be reached
     * @return a copy
     */
    public StepTimes reachPatience(Duration newReachPatience) {
        return new StepTimes(newReachPatience, lock, answer, statement);
    }
}
