package io.homeshard.migrate.move;

import java.time.Duration;

/**
 * How long a mover may be silent. Immutable and thread-safe.
 *
 * @param duration how long until another may take its move over; also the idle timeout of its sessions, so that a paused
 *     mover blocks nobody for longer
 * @param renewEvery how often the lease is renewed, and both shards are asked for a sign of life while the tenant is
 *     frozen; less than half of the duration
 */
public record LeaseTimes(Duration duration, Duration renewEvery) {
    /**
     * Checks that the values go together.
     *
     * @throws IllegalArgumentException when one is out of range
     */
    public LeaseTimes {
        MoveConfig.positive("lease", duration);
        MoveConfig.positive("renewEvery", renewEvery);
        if (renewEvery.multipliedBy(2).compareTo(duration) >= 0) {
            throw new IllegalArgumentException(
                    "renewEvery must be < half of lease " + duration + ", was " + renewEvery);
        }
    }
}
