package io.homeshard.pool;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes pools that were replaced, each on a short-lived daemon thread, once their borrowed connections are back. */
final class PoolRetirement {
    private static final Logger log = LoggerFactory.getLogger(PoolRetirement.class);

    /** How often a retired pool is looked at. */
    private static final Duration LOOK = Duration.ofMillis(50);

    /** After this long the connections that are still out are aborted. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Clocks clocks;

    PoolRetirement(Clocks clocks) {
        this.clocks = clocks;
    }

    void retire(@Nullable ShardPool pool) {
        if (pool == null) {
            return;
        }
        pool.retire();
        Thread thread = new Thread(() -> finish(pool), "homeshard-retire");
        thread.setDaemon(true);
        thread.start();
    }

    private void finish(ShardPool pool) {
        long start = clocks.nanoTime();
        try {
            while (!pool.unused() && clocks.nanoTime() - start < PATIENCE.toNanos()) {
                clocks.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.close();
        log.debug("pool retired ({})", pool.stats());
    }
}
