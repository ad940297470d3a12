package io.homeshard.guard;

import java.time.Duration;

/** Durations as PostgreSQL's timeouts take them. */
final class Millis {
    private Millis() {}

    /** Rounded up: 0 would mean no limit. */
    static int of(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("lockTimeout must be > 0 and <= 1 h, was " + timeout);
        }
        return (int) Math.max(1, timeout.toMillis());
    }
}
