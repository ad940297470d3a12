package io.homeshard.test;

import java.time.Duration;

/** How a {@link FaultProxy} treats its traffic at the moment. Thread-safe. */
final class ProxyState {
    private volatile long delayNanos;
    private volatile boolean silent;

    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    long delayNanos() {
        return delayNanos;
    }

    void silent(boolean now) {
        silent = now;
    }

    boolean silent() {
        return silent;
    }
}
