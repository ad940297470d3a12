package io.homeshard.guard.pooler;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A client of the pooler. It begins and ends transactions by SQL text. One thread at a time.
 *
 * @param connection in autocommit, so that the driver adds nothing
 */
record Client(Connection connection) implements AutoCloseable {
    /** What {@link #attempt} answers when nothing was refused. */
    static final String OK = "ok";

    private static final String WRITE = "INSERT INTO pooled.ledger (tenant_id, k, v) VALUES (?, 1, 1)";

    /** Runs SQL that must work. */
    void run(String sql, @Nullable Object... parameters) throws SQLException {
        if (parameters.length > 0) {
            Jdbc.run(connection, sql, parameters);
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs SQL: {@value #OK}, or the SQLState of the refusal. */
    String attempt(String sql, @Nullable Object... parameters) throws SQLException {
        try {
            run(sql, parameters);
            return OK;
        } catch (SQLException e) {
            if (e.getSQLState() == null || SqlStates.connectionLost(e)) {
                throw e;
            }
            return e.getSQLState();
        }
    }

    /** Writes a row of the tenant: {@value #OK}, or the SQLState of the refusal. */
    String write(String tenant) throws SQLException {
        return attempt(WRITE, tenant);
    }

    /** The one value of a query that must work, as text. */
    String value(String sql, @Nullable Object... parameters) throws SQLException {
        return Jdbc.one(connection, sql, row -> String.valueOf(row.getObject(1)), parameters);
    }

    /** The process of the server that serves this client now. */
    String pid() throws SQLException {
        return value("SELECT pg_backend_pid()");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
