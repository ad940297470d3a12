package io.homeshard.migrate.preflight;

import java.time.Duration;

/**
 * How long writers of a tenant will be refused, by what was measured. A copy reads the rows once and writes them to
 * tables with indexes, which takes about twice as long as reading; then both shards read them once more to compare. So
 * the time is four times what reading alone takes, or what the limit on the rate allows plus the comparison, and a
 * second for the steps around. Expect it to be right within a factor of three; rows and bytes are PostgreSQL's own
 * estimates, which need an analyzed table. Immutable.
 *
 * @param bytes to copy, estimated
 * @param bytesPerSecond measured by copying rows of the largest table out of the source, for about 200 ms and at most 16
 *     MiB, without writing them anywhere; 0 when there was too little to measure
 * @param freeze the time
 */
public record FreezeEstimate(long bytes, long bytesPerSecond, Duration freeze) {
    private static final Duration STEPS = Duration.ofSeconds(1);
    private static final int WRITING = 3;

    /** Nothing to copy. */
    static final FreezeEstimate NONE = new FreezeEstimate(0, 0, STEPS);

    static FreezeEstimate of(long bytes, long measured, long allowed) {
        if (measured <= 0) {
            return new FreezeEstimate(bytes, 0, STEPS);
        }
        double reading = (double) bytes / measured;
        double copying = Math.max(WRITING * reading, (double) bytes / allowed);
        return new FreezeEstimate(bytes, measured, STEPS.plusMillis((long) (1000 * (copying + reading))));
    }
}
