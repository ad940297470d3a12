package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * A transaction in which values have one text form, whatever the database, the role or the session was set to. All
 * settings are local to the transaction. How long it may wait, work or idle is left to whoever opened the session.
 */
public final class PinnedTransaction {
    private static final String SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
    private static final String TAKE_OVER = SNAPSHOT + "; SET TRANSACTION SNAPSHOT '%s'";
    private static final Pattern EXPORTED = Pattern.compile("[0-9A-F-]+");
    private static final String LATEST = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE";

    // array_nulls is about input; row_security = off makes a policy an error, where it would hide rows
    private static final String PIN = """
            SELECT set_config('DateStyle', 'ISO, YMD', true),
                   set_config('IntervalStyle', 'postgres', true),
                   set_config('TimeZone', 'UTC', true),
                   set_config('extra_float_digits', '3', true),
                   set_config('bytea_output', 'hex', true),
                   set_config('lc_monetary', 'C', true),
                   set_config('xmloption', 'content', true),
                   set_config('array_nulls', 'on', true),
                   set_config('quote_all_identifiers', 'off', true),
                   set_config('client_encoding', 'UTF8', true),
                   set_config('row_security', 'off', true),
                   set_config('jit', 'off', true),
                   set_config('synchronous_commit', 'on', true)
            """;
    private static final String PLAIN_PATH = "SET LOCAL search_path = pg_catalog, pg_temp";
    private static final String OWN_PATH = "SET LOCAL search_path TO DEFAULT";

    private PinnedTransaction() {}

    /**
     * What is done in the transaction.
     *
     * @param <T> what comes out
     */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Does it.
         *
         * @param connection the connection, in the transaction
         * @return the outcome
         * @throws SQLException as the driver says; rolls back
         */
        T run(Connection connection) throws SQLException;
    }

    /**
     * Reads in one snapshot, with {@code search_path = pg_catalog}, so that all other names are printed in full.
     *
     * @param <T> what comes out
     * @param connection in autocommit; left so, unless it was closed meanwhile
     * @param work what to read
     * @return the outcome
     * @throws SQLException as the driver says
     * @throws IllegalStateException when a transaction is open already
     */
    public static <T> T read(Connection connection, Work<T> work) throws SQLException {
        return reading(connection, SNAPSHOT, work);
    }

    /**
     * Reads what another transaction sees, which must still be open when this one begins.
     *
     * @param <T> what comes out
     * @param connection in autocommit, to the same database; left so, unless it was closed meanwhile
     * @param snapshot what {@code pg_export_snapshot()} returned there
     * @param work what to read
     * @return the outcome
     * @throws SQLException as the driver says
     * @throws IllegalArgumentException when the snapshot does not look like one
     * @throws IllegalStateException when a transaction is open already
     */
    public static <T> T read(Connection connection, String snapshot, Work<T> work) throws SQLException {
        if (!EXPORTED.matcher(snapshot).matches()) {
            throw new IllegalArgumentException("snapshot must be an exported one, was " + snapshot);
        }
        return reading(connection, TAKE_OVER.formatted(snapshot), work);
    }

    private static <T> T reading(Connection connection, String characteristics, Work<T> work) throws SQLException {
        return within(connection, characteristics, session -> {
            Jdbc.run(session, PLAIN_PATH);
            return work.run(session);
        });
    }

    /**
     * Evaluates, within a reading transaction, under the search path that role, database and URL give to the session, as
     * {@link #write} has it. When it fails, the path stays so: roll back.
     *
     * @param <T> what comes out
     * @param connection in a transaction of {@link #read}
     * @param work what to evaluate
     * @return the outcome
     * @throws SQLException as the driver says
     */
    public static <T> T withOwnPath(Connection connection, Work<T> work) throws SQLException {
        Jdbc.run(connection, OWN_PATH);
        T result = work.run(connection);
        Jdbc.run(connection, PLAIN_PATH);
        return result;
    }

    /**
     * Writes at READ COMMITTED and commits synchronously. The search path stays the role's own: triggers and checks of
     * the application find their functions as they do under the application.
     *
     * @param <T> what comes out
     * @param connection in autocommit; left so, unless it was closed meanwhile
     * @param work what to write
     * @return the outcome
     * @throws SQLException as the driver says
     * @throws IllegalStateException when a transaction is open already
     */
    public static <T> T write(Connection connection, Work<T> work) throws SQLException {
        return within(connection, LATEST, work);
    }

    /** Reads in the caller's transaction when it has one open, which must be pinned; else in one of its own. */
    static <T> T joined(Connection connection, Work<T> work) throws SQLException {
        return connection.getAutoCommit() ? read(connection, work) : work.run(connection);
    }

    private static <T> T within(Connection connection, String characteristics, Work<T> work) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException("connection must be in autocommit, had a transaction open");
        }
        connection.setAutoCommit(false);
        try {
            Jdbc.run(connection, characteristics);
            Jdbc.run(connection, PIN);
            T result = work.run(connection);
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, e);
            throw e;
        }
    }

    private static void undo(Connection connection, Throwable cause) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
