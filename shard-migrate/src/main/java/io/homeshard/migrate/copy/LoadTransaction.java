package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.PinnedTransaction;
import java.sql.Connection;
import java.sql.SQLException;

/** A transaction in which a mover brings rows in or takes them away, in the mode that the tables ask for. */
public final class LoadTransaction {
    // nobody reads what the server says while rows are sent: notices of a trigger would fill the line back, and both
    // sides would wait for each other
    private static final String QUIET = "SET LOCAL client_min_messages = error";
    private static final String REPLICA = "SET LOCAL session_replication_role = replica";

    private LoadTransaction() {}

    /**
     * Runs work in a transaction of its own, which commits synchronously.
     *
     * @param <T> what comes out
     * @param shard in autocommit; left so, unless it was closed meanwhile
     * @param mode whether triggers and foreign keys take notice
     * @param work what to do
     * @return the outcome
     * @throws SQLException as the driver says; 42501 when the role may not set the mode
     */
    public static <T> T run(Connection shard, LoadMode mode, PinnedTransaction.Work<T> work) throws SQLException {
        return PinnedTransaction.write(shard, connection -> {
            Jdbc.run(connection, QUIET);
            if (mode == LoadMode.REPLICA) {
                Jdbc.run(connection, REPLICA);
            }
            return work.run(connection);
        });
    }
}
