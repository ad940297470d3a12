package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.TableName;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Changes a table that is in use: each try asks for the lock with a short timeout, so that the queue behind it stays
 * short, and the pauses between tries let writers through. Thread-safe.
 */
final class TableTries {
    private static final String GONE = "SELECT NOT EXISTS (SELECT FROM pg_class WHERE oid = CAST(? AS oid))";

    /** With the pauses below some 15 s in all, beside the waits for locks. */
    private static final int TRIES = 40;

    private static final int SHORTEST_PAUSE_MS = 250;
    private static final int LONGEST_PAUSE_MS = 500;

    private final Clocks clocks;

    TableTries(Clocks clocks) {
        this.clocks = clocks;
    }

    /** A table as the plan found it. */
    record Relation(long oid, TableName table) {}

    /** One transaction that needs a lock. */
    @FunctionalInterface
    interface Change {
        void run() throws SQLException;
    }

    /** As below, but content when somebody has dropped the table since the plan was made. */
    void run(Connection shard, Relation relation, int millis, Change change) throws SQLException {
        try {
            run(relation.table(), millis, change);
        } catch (SQLException e) {
            if (SqlStates.connectionLost(e)
                    || !Jdbc.<Boolean>one(shard, GONE, row -> row.getBoolean(1), relation.oid())) {
                throw e;
            }
        }
    }

    /**
     * Tries until the change is made or the tries are used up; other failures than those of a lock come through at once.
     *
     * @param table named in the failure
     * @param millis the lock timeout, for the failure
     * @param change is whole or not at all
     */
    void run(TableName table, int millis, Change change) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                change.run();
                return;
            } catch (SQLException e) {
                if (SqlStates.find(e, SqlStates.LOCK_TIMEOUT) == null
                        && SqlStates.find(e, SqlStates.DEADLOCK) == null) {
                    throw e;
                }
                if (attempt == TRIES) {
                    throw new SQLException(
                            "guard - table " + table + " stayed in use, not changed (tries=" + TRIES + ", lockTimeout="
                                    + millis + "ms); end long transactions on it or raise the lock timeout",
                            e.getSQLState(),
                            e);
                }
                pause(e);
            }
        }
    }

    private void pause(SQLException cause) throws SQLException {
        try {
            clocks.sleep(Duration.ofMillis(ThreadLocalRandom.current().nextInt(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("guard - interrupted while waiting for a table lock", cause.getSQLState(), cause);
        }
    }
}
