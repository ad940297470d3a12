package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.SqlStates;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Clients that write orders of one tenant all the time, refused or not. Thread-safe. */
final class BusyTenant implements AutoCloseable {
    private static final Set<String> REFUSALS =
            Set.of(SqlStates.FROZEN, SqlStates.NOT_OWNED, SqlStates.SERIALIZATION_FAILURE, SqlStates.DEADLOCK);

    private final ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger committed = new AtomicInteger();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<?> work;
    private volatile boolean stopped;

    /**
     * A transaction.
     *
     * @param begun on the clock of {@link System#nanoTime}
     * @param nanos until its commit or its refusal
     * @param refused which it was
     */
    record Attempt(long begun, long nanos, boolean refused) {}

    /** Begins. */
    BusyTenant(Crowd crowd, int writers) {
        work = thread.submit(() -> crowd.all(writers, client -> {
            while (!stopped) {
                attempt(client);
            }
            return true;
        }));
    }

    private void attempt(Client client) throws SQLException {
        long begun = System.nanoTime();
        boolean refused = false;
        try {
            client.run(Operation.ORDER);
            committed.incrementAndGet();
        } catch (SQLException e) {
            if (!REFUSALS.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            client.giveUp();
            refused = true;
        }
        attempts.add(new Attempt(begun, System.nanoTime() - begun, refused));
    }

    /** Waits until so many more transactions have committed. */
    void awaitMore(int transactions) {
        int goal = committed.get() + transactions;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (committed.get() - goal < 0) {
            if (work.isDone() || System.nanoTime() > deadline) {
                throw new IllegalStateException("writers have stopped (committed=" + committed + ")");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Stops the writers. */
    List<Attempt> end() throws SQLException {
        stopped = true;
        try {
            work.get(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new SQLException("writers failed", e);
        }
        return List.copyOf(attempts);
    }

    @Override
    public void close() {
        stopped = true;
        thread.shutdown();
    }
}
