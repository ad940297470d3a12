package io.homeshard.guard;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Writers on threads of their own, from its creation until it is stopped. */
final class UpgradeTraffic implements AutoCloseable {
    final UpgradeTally tally = new UpgradeTally();
    private final ExecutorService threads;
    private final List<Future<?>> writers = new ArrayList<>();
    private volatile boolean stopped;

    UpgradeTraffic(UpgradeShard shard, int writers) throws SQLException {
        threads = Executors.newFixedThreadPool(writers);
        for (int i = 0; i < writers; i++) {
            UpgradeWriter writer = new UpgradeWriter(shard, tally, i);
            this.writers.add(threads.submit(() -> {
                while (!stopped) {
                    writer.step();
                }
                writer.close();
                return null;
            }));
        }
    }

    /** Returns when writers have been refused so many times more. */
    void goOn(int refusals) {
        long enough = tally.refusals() + refusals;
        await(() -> tally.refusals() >= enough);
    }

    void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("traffic came to a stand: " + tally.wrong());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Returns when the last writer has ended. */
    void stop() throws InterruptedException, ExecutionException, TimeoutException {
        stopped = true;
        for (Future<?> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
    }
}
