package io.homeshard.guard;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.time.Instant;

/** Waits a tenth of what it is told, so that many changes under traffic fit into one test. */
final class ShortPauses implements Clocks {
    @Override
    public Instant now() {
        return Clocks.system().now();
    }

    @Override
    public long nanoTime() {
        return Clocks.system().nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Clocks.system().sleep(duration.dividedBy(10));
    }
}
