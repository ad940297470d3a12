package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Writers of one tenant that insert into a table, one statement after the other, and the longest that one has taken. */
final class InstallLoad implements AutoCloseable {
    private final ExecutorService threads;
    private final List<Future<?>> writers = new ArrayList<>();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private volatile boolean stopped;

    InstallLoad(GuardedShard shard, int writers, String insert, TenantId tenant) throws SQLException {
        threads = Executors.newFixedThreadPool(writers);
        for (int i = 0; i < writers; i++) {
            Connection connection = shard.connect();
            this.writers.add(threads.submit(() -> {
                try (connection) {
                    while (!stopped) {
                        long start = System.nanoTime();
                        Jdbc.update(connection, insert, tenant.value());
                        long took = System.nanoTime() - start;
                        longest.accumulateAndGet(took, Math::max);
                        writes.incrementAndGet();
                    }
                }
                return null;
            }));
        }
    }

    long writes() {
        return writes.get();
    }

    /** Ends the writers, none of which may have failed; tells the longest statement. */
    long longestMillis() throws InterruptedException, ExecutionException, TimeoutException {
        stopped = true;
        for (Future<?> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
        return TimeUnit.NANOSECONDS.toMillis(longest.get());
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
    }
}
