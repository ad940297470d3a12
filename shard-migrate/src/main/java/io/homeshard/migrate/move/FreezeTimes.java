package io.homeshard.migrate.move;

import java.time.Duration;

/**
 * How a mover asks for a tenant's lock: briefly and often, since writers queue behind it while it waits. Immutable and
 * thread-safe.
 *
 * @param firstTry longest wait in the first attempt
 * @param laterTry the same in later attempts; writers of the tenant stall no longer than that, and it must stay below
 *     the server's {@code deadlock_timeout}
 * @param backoff shortest pause between attempts; the longest is twice that
 * @param patience when to give up
 */
public record FreezeTimes(Duration firstTry, Duration laterTry, Duration backoff, Duration patience) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when one is not positive
     */
    public FreezeTimes {
        MoveConfig.positive("freeze firstTry", firstTry);
        MoveConfig.positive("freeze laterTry", laterTry);
        MoveConfig.positive("freeze backoff", backoff);
        MoveConfig.positive("freeze patience", patience);
    }

    /**
     * The same with another pause between attempts.
     *
     * @param newBackoff shortest pause; shorter ones make writers stall more often
     * @return a copy
     */
    public FreezeTimes backoff(Duration newBackoff) {
        return new FreezeTimes(firstTry, laterTry, newBackoff, patience);
    }

    /**
     * The same with another patience.
     *
     * @param newPatience when to give up
     * @return a copy
     */
    public FreezeTimes patience(Duration newPatience) {
        return new FreezeTimes(firstTry, laterTry, backoff, newPatience);
    }
}
