package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** A transaction that has written an order of the first tenant and stays open for a while. */
final class Holder implements AutoCloseable {
    private static final String WRITE =
            "INSERT INTO shop.orders (tenant_id, id, customer, total) VALUES (?, ?, 'holds', 1)";

    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Long> held;

    /** Has written when this returns. */
    Holder(Connection connection, int number, long nanos) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        Jdbc.update(connection, WRITE, Keys.tenant(0), (long) -number);
        long begun = System.nanoTime();
        held = thread.submit(() -> {
            long left = nanos;
            while (left > 0) {
                LockSupport.parkNanos(left);
                left = nanos - (System.nanoTime() - begun);
            }
            connection.commit();
            return System.nanoTime() - begun;
        });
    }

    /** Waits for its end; returns how long it was, in nanoseconds. */
    long end() throws SQLException {
        try {
            return held.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        } catch (ExecutionException e) {
            throw new SQLException("transaction was not held", e);
        }
    }

    @Override
    public void close() throws SQLException {
        thread.shutdown();
        end();
        connection.close();
    }
}
