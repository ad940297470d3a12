package io.homeshard.observe;

import java.time.Duration;
import java.time.Instant;

/** Time as the library sees it; tests hand in their own. Implementations are thread-safe. */
public interface Clocks {
    /**
     * Date and time, for records that people read.
     *
     * @return now
     */
    Instant now();

    /**
     * Monotonic time, for durations. Only differences mean anything.
     *
     * @return nanoseconds
     */
    long nanoTime();

    /**
     * Waits.
     *
     * @param duration how long
     * @throws InterruptedException when the thread is interrupted
     */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * The clocks of this machine.
     *
     * @return the one instance
     */
    static Clocks system() {
        return SystemClocks.INSTANCE;
    }
}
