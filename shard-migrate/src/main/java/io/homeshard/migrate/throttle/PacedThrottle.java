package io.homeshard.migrate.throttle;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Each byte pushes the moment at which the next may go further out. */
final class PacedThrottle implements Throttle {
    /** Shorter waits are saved up: a sleep costs more than that. */
    private static final long SHORTEST_WAIT_NANOS = Duration.ofMillis(5).toNanos();

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
    public void passed(long bytes) throws InterruptedException {
        long wait = waitFor(bytes);
        if (wait >= SHORTEST_WAIT_NANOS) {
            clocks.sleep(Duration.ofNanos(wait));
        }
    }

    private long waitFor(long bytes) {
        lock.lock();
        try {
            long now = clocks.nanoTime();
            if (now - paidUntil > 0) {
                paidUntil = now;
            }
            paidUntil += (long) (bytes * nanosPerByte);
            return paidUntil - now;
        } finally {
            lock.unlock();
        }
    }
}
