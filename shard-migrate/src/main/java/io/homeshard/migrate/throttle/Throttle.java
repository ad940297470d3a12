package io.homeshard.migrate.throttle;

import io.homeshard.observe.Clocks;

/** Slows a stream of bytes down. One instance may serve several streams, which then share the rate. Thread-safe. */
@FunctionalInterface
public interface Throttle {
    /**
     * Told after bytes went through; waits when that was too fast.
     *
     * @param bytes how many, at least 0
     * @throws InterruptedException when the thread is interrupted while waiting
     */
    void passed(long bytes) throws InterruptedException;

    /**
     * Never waits.
     *
     * @return a throttle without a limit
     */
    static Throttle none() {
        return bytes -> {};
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
}
