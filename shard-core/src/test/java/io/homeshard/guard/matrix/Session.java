package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * A connection whose transactions are begun and ended by SQL text, as psql does. One thread at a time.
 *
 * @param connection in autocommit, so that the driver adds nothing
 * @param pid the process that serves it
 */
record Session(Connection connection, int pid) implements AutoCloseable {
    /** What {@link #attempt} answers when nothing was refused. */
    static final String OK = "ok";

    /** Something that the server may refuse. */
    @FunctionalInterface
    interface Attempt {
        void run() throws SQLException, IOException;
    }

    static Session of(Connection connection) throws SQLException {
        return new Session(connection, Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1)));
    }

    /** Runs SQL text that must work. */
    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The one value of a query that must work. */
    String value(String sql, Object... parameters) throws SQLException {
        return Jdbc.one(connection, sql, row -> String.valueOf(row.getObject(1)), parameters);
    }

    /** Runs SQL text: {@value #OK}, or the SQLState of the refusal. */
    String attempt(String sql) throws SQLException {
        return outcome(() -> run(sql));
    }

    /** Runs a COPY FROM STDIN: {@value #OK}, or the SQLState of the refusal. */
    String attemptCopy(String sql, String data) throws SQLException {
        return outcome(() -> connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql, new StringReader(data)));
    }

    /** {@value #OK}, or the SQLState of the refusal; a lost connection is not a refusal and is thrown. */
    static String outcome(Attempt attempt) throws SQLException {
        try {
            attempt.run();
            return OK;
        } catch (SQLException e) {
            if (e.getSQLState() == null || SqlStates.connectionLost(e)) {
                throw e;
            }
            return e.getSQLState();
        } catch (IOException e) {
            throw new SQLException("COPY data not sent", e);
        }
    }

    /** Back to the state of a new session. */
    void reset() throws SQLException {
        run("ROLLBACK");
        run("RESET ALL");
        run("DEALLOCATE ALL");
        run("CLOSE ALL");
        run("SELECT pg_advisory_unlock_all()");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
