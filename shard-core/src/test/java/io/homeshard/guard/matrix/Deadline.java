package io.homeshard.guard.matrix;

import java.time.Duration;

/**
 * The end of a wait that only a broken test reaches.
 *
 * @param nanos on the clock of {@link System#nanoTime}
 */
record Deadline(long nanos) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanos > 0;
    }

    /** Throws when it has passed. */
    void check(String what) {
        if (passed()) {
            throw new IllegalStateException("waited too long: " + what);
        }
    }
}
