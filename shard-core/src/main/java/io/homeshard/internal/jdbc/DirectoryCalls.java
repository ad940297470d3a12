package io.homeshard.internal.jdbc;

import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.SchemaMismatchException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to the directory database: each borrows a connection, runs one statement in autocommit under a time limit and
 * gives the connection back. Failures become Homeshard's exceptions. Thread-safe.
 */
public final class DirectoryCalls {
    /** Longest wait for one answer; steps in the directory wait for locks 5 s at most. */
    private static final int ANSWER_MILLIS = 10_000;

    /** Cannot be reached, overloaded, busy, cancelled, or a standby: the same call may work later. */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "53", "57", "58", "40");

    private static final Executor SAME_THREAD = Runnable::run;

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryCalls.class);

    private final DataSource dataSource;

    /**
     * Calls through a data source.
     *
     * @param dataSource hands out connections to the directory database, in autocommit
     */
    public DirectoryCalls(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * One call.
     *
     * @param <T> what it answers
     */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * Runs one statement.
         *
         * @param connection in autocommit
         * @return the answer
         * @throws SQLException as the driver says
         */
        T run(Connection connection) throws SQLException;
    }

    /**
     * Runs one call.
     *
     * @param <T> what it answers
     * @param call the call
     * @return the answer
     * @throws DirectoryUnavailableException when the directory cannot be reached or does not answer in time; a step
     *     may or may not have happened then
     * @throws SchemaMismatchException when the schema is not there
     */
    public <T> T call(Call<T> call) {
        try (Connection connection = open()) {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(SAME_THREAD, ANSWER_MILLIS);
            try {
                return call.run(connection);
            } finally {
                restore(connection, before);
            }
        } catch (SQLException e) {
            throw translated(e);
        }
    }

    private static void restore(Connection connection, int networkTimeout) {
        try {
            connection.setNetworkTimeout(SAME_THREAD, networkTimeout);
        } catch (SQLException e) {
            LOG.debug("directory - connection is broken and not given back as it was", e);
        }
    }

    /**
     * Borrows a connection, which the caller closes.
     *
     * @return a connection in autocommit
     * @throws SQLException when there is none
     * @throws IllegalStateException when the data source hands out connections that are not in autocommit: they may
     *     belong to a transaction of the application, which a step must neither join nor commit
     */
    public Connection open() throws SQLException {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLException e) {
            throw new SQLException("no connection to the directory", "08001", e);
        }
        boolean usable = false;
        try {
            usable = connection.getAutoCommit();
        } finally {
            if (!usable) {
                connection.close();
            }
        }
        if (!usable) {
            throw new IllegalStateException("directory - its data source hands out connections with autocommit off;"
                    + " give Homeshard a data source of its own, in autocommit");
        }
        return connection;
    }

    /**
     * What a failure means to a caller.
     *
     * @param failure what the driver threw
     * @return the exception to throw
     */
    public static RuntimeException translated(SQLException failure) {
        String state = Objects.requireNonNullElse(failure.getSQLState(), "none");
        if (SqlStates.schemaMissing(failure)) {
            return new SchemaMismatchException(
                    "directory - schema homeshard is missing or older than this library;"
                            + " run SchemaRollout.migrateDirectory() (sqlstate=" + state + ")",
                    failure);
        }
        boolean mayWorkLater = state.length() != 5
                || TRANSIENT_CLASSES.contains(state.substring(0, 2))
                || state.equals(SqlStates.LOCK_TIMEOUT)
                || state.equals(SqlStates.READ_ONLY);
        if (mayWorkLater) {
            return new DirectoryUnavailableException(
                    "directory - cannot be reached or did not answer in time (sqlstate=" + origin(failure, state)
                            + ", limit_ms=" + ANSWER_MILLIS + ")",
                    failure);
        }
        if (state.startsWith("22") || state.startsWith("23")) {
            return new IllegalArgumentException("directory - refused a value (sqlstate=" + state + ")", failure);
        }
        return new IllegalStateException("directory - refused a statement (sqlstate=" + state + ")", failure);
    }

    /** Why there was no connection, when that is known: 28P01 is another matter than 08001. */
    private static String origin(SQLException failure, String state) {
        return failure.getCause() instanceof SQLException cause && cause.getSQLState() != null
                ? cause.getSQLState()
                : state;
    }
}
