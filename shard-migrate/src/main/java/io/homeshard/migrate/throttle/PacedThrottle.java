package io.homeshard.migrate.throttle;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Each byte pushes the moment at which the next may go further out. */
final class PacedThrottle implements Throttle {
    /** Shorter waits are saved up: a sleep costs more than that. */
    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(5).toNanos();

    /** Longest time without asking whether waiting still makes sense. */
    private static final long SLICE_NANOS = Duration.ofMillis(100).toNanos();

    private final double nanosPerByte;
    private final Clocks clocks;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock; monotonic time at which what has passed is paid for. */
    private long paidUntil;

    PacedThrottle(long bytesPerSecond, Clocks clocks) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("bytesPerSecond must be >= 1, was " + bytesPerSecond);
        }
        this.nanosPerByte = 1e9 / bytesPerSecond;
        this.clocks = clocks;
        this.paidUntil = clocks.nanoTime();
    }

    @Override
    public void passed(long bytes, Runnable whileWaiting) throws InterruptedException {
        long until = paidAfter(bytes);
        long wait = until - clocks.nanoTime();
        while (wait >= SHORTEST_WAIT_NANOS) {
            waitBriefly(wait, clocks, whileWaiting);
            wait = until - clocks.nanoTime();
        }
    }

    private long paidAfter(long bytes) {
        lock.lock();
        try {
            long now = clocks.nanoTime();
            if (now - paidUntil > 0) {
                paidUntil = now;
            }
            paidUntil += (long) (bytes * nanosPerByte);
            return paidUntil;
        } finally {
            lock.unlock();
        }
    }

    /** One part of a wait. */
    static void waitBriefly(long nanos, Clocks clocks, Runnable whileWaiting) throws InterruptedException {
        whileWaiting.run();
        clocks.sleep(Duration.ofNanos(Math.min(nanos, SLICE_NANOS)));
    }
}
