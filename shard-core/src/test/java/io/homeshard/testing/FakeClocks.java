package io.homeshard.testing;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that stand until a test ticks them. Thread-safe. */
public final class FakeClocks implements Clocks {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);

    /** Lets time pass. */
    public void tick(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    /** Begins shortly before an overflow, so that code which compares instead of subtracting is found out. */
    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public void sleep(Duration duration) {
        tick(duration);
    }
}
