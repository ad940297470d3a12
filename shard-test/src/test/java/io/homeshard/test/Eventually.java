package io.homeshard.test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does. */
final class Eventually {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Eventually() {}

    /** Returns when the condition holds; fails when it still does not at the end of the time. */
    static void holds(String what, Duration within, BooleanSupplier condition) {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + within + ": " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
