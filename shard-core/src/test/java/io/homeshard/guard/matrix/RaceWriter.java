package io.homeshard.guard.matrix;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A writer that goes on through all rounds in one session and keeps a log of what it was told. Its monitor guards the
 * log.
 */
final class RaceWriter implements Runnable {
    private static final Duration TOO_LONG = Duration.ofSeconds(30);

    private final Connection connection;
    private final String table;
    private final List<RaceTenant> tenants;
    private final Random random;
    private final List<String> violations = new ArrayList<>();
    private long nextKey;
    private RaceState acknowledged = RaceState.empty();
    private int begun;
    private int ended;
    private int refused;
    private boolean stopped;

    /**
     * A writer.
     *
     * @param connection its own
     * @param table what it writes
     * @param tenants whose rows it writes
     * @param number tells its rows from those of others
     * @param random decides everything it does
     */
    RaceWriter(Connection connection, String table, List<RaceTenant> tenants, int number, Random random) {
        this.connection = connection;
        this.table = table;
        this.tenants = List.copyOf(tenants);
        this.random = random;
        this.nextKey = number * 1_000_000_000L;
    }

    @Override
    public void run() {
        try {
            while (begin()) {
                attempt();
            }
        } catch (SQLException | RuntimeException e) {
            synchronized (this) {
                violations.add("writer failed: " + e);
                stopped = true;
                notifyAll();
            }
        }
    }

    private void attempt() throws SQLException {
        RaceState before = acknowledged();
        try {
            RaceLedger ledger = new RaceLedger(connection, table, random, () -> ++nextKey, before);
            end(new RaceTransaction(connection, tenants, random, ledger).run(), false);
        } catch (SQLException e) {
            SQLException told = e.getNextException() == null ? e : e.getNextException();
            if (!RaceTransaction.REFUSALS.contains(String.valueOf(told.getSQLState()))) {
                throw e;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            end(before, true);
        }
    }

    private synchronized boolean begin() {
        begun++;
        return !stopped;
    }

    private synchronized void end(RaceState state, boolean refusal) {
        acknowledged = state;
        ended = begun;
        refused += refusal ? 1 : 0;
        notifyAll();
    }

    /** What it was told so far. */
    synchronized RaceState acknowledged() {
        return acknowledged;
    }

    /** Attempts so far, the current one included. */
    synchronized int begun() {
        return begun;
    }

    /** Attempts that were refused, or were not. */
    synchronized int count(boolean refusals) {
        return refusals ? refused : ended - refused;
    }

    /** Waits until the attempt with a number has ended, or the writer has stopped. */
    synchronized void awaitEnded(int attempt) throws InterruptedException {
        Deadline deadline = Deadline.in(TOO_LONG);
        while (ended < attempt && !stopped) {
            wait(100);
            deadline.check("writer makes no progress");
        }
    }

    synchronized void stop() {
        stopped = true;
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
