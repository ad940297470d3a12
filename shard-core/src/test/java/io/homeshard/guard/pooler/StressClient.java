package io.homeshard.guard.pooler;

import io.homeshard.internal.jdbc.SqlStates;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A client that goes on until it is stopped and keeps a log of what it was told. Its monitor guards the log. */
final class StressClient implements Runnable {
    private static final Set<String> REFUSALS =
            Set.of(SqlStates.NOT_OWNED, SqlStates.FROZEN, SqlStates.SERIALIZATION_FAILURE, SqlStates.DEADLOCK);

    private final Client client;
    private final List<String> tenants;
    private final Random random;
    private final LongSupplier keys;
    private final List<String> violations = new ArrayList<>();
    private StressState acknowledged = StressState.empty();
    private int begun;
    private int ended;
    private int refused;
    private boolean stopped;

    StressClient(Client client, List<String> tenants, int number, Random random) {
        this.client = client;
        this.tenants = tenants;
        this.random = random;
        this.keys = new LongSupplier() {
            private long next = number * 1_000_000_000L;

            @Override
            public long getAsLong() {
                return ++next;
            }
        };
    }

    /** Whether the guard or the server has refused, as it may while tenants are frozen. */
    static boolean refusal(SQLException failure) {
        return REFUSALS.contains(String.valueOf(failure.getSQLState()));
    }

    @Override
    public void run() {
        try {
            while (begin()) {
                attempt();
            }
        } catch (SQLException | RuntimeException e) {
            synchronized (this) {
                violations.add("client failed: " + e);
                stopped = true;
                notifyAll();
            }
        }
    }

    private void attempt() throws SQLException {
        StressState before = acknowledged();
        try {
            end(new StressTransaction(client, tenants, random, keys, before).run(), false);
        } catch (SQLException e) {
            if (!refusal(e)) {
                throw e;
            }
            client.run("ROLLBACK");
            end(before, true);
        }
    }

    private synchronized boolean begin() {
        begun++;
        return !stopped;
    }

    private synchronized void end(StressState state, boolean refusal) {
        acknowledged = state;
        ended = begun;
        refused += refusal ? 1 : 0;
        notifyAll();
    }

    /** What it was told so far. */
    synchronized StressState acknowledged() {
        return acknowledged;
    }

    /** Attempts so far, the current one included. */
    synchronized int begun() {
        return begun;
    }

    /** Attempts that have ended. */
    synchronized int ended() {
        return ended;
    }

    synchronized int refused() {
        return refused;
    }

    /** Waits until the attempt with a number has ended, or the client has stopped. */
    synchronized void awaitEnded(int attempt) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (ended < attempt && !stopped) {
            wait(100);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("a client makes no progress");
            }
        }
    }

    synchronized void stop() {
        stopped = true;
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
