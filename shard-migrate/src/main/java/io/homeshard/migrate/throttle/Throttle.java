package io.homeshard.migrate.throttle;

import io.homeshard.observe.Clocks;
import java.util.function.BooleanSupplier;

/** Slows a stream of bytes down. One instance may serve several streams, which then share the rate. Thread-safe. */
@FunctionalInterface
public interface Throttle {
    /**
     * Told after bytes went through; waits when that was too fast.
     *
     * @param bytes how many, at least 0
     * @param whileWaiting called several times a second while this waits; what it throws ends the wait and passes through
     * @throws InterruptedException when the thread is interrupted while waiting
     */
    void passed(long bytes, Runnable whileWaiting) throws InterruptedException;

    /**
     * Never waits.
     *
     * @return a throttle without a limit
     */
    static Throttle none() {
        return (bytes, whileWaiting) -> {};
    }

    /**
     * Holds a mean rate.
     *
     * @param bytesPerSecond the rate, at least 1
     * @param clocks the time
     * @return a new throttle
     * @throws IllegalArgumentException when the rate is less than 1
     */
    static Throttle bytesPerSecond(long bytesPerSecond, Clocks clocks) {
        return new PacedThrottle(bytesPerSecond, clocks);
    }

    /**
     * Waits for as long as somebody says so.
     *
     * @param paused asked each time that bytes went through, and several times a second while this waits; thread-safe
     * @param clocks the time
     * @return a new throttle
     */
    static Throttle pausedWhile(BooleanSupplier paused, Clocks clocks) {
        return (bytes, whileWaiting) -> {
            while (paused.getAsBoolean()) {
                PacedThrottle.waitBriefly(Long.MAX_VALUE, clocks, whileWaiting);
            }
        };
    }

    /**
     * Waits for this one, then for another.
     *
     * @param other the other
     * @return both
     */
    default Throttle and(Throttle other) {
        return (bytes, whileWaiting) -> {
            passed(bytes, whileWaiting);
            other.passed(bytes, whileWaiting);
        };
    }
}
