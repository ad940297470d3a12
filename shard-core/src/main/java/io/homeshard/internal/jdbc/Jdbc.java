package io.homeshard.internal.jdbc;

import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one statement with bound parameters on a connection that the caller owns. */
public final class Jdbc {
    private Jdbc() {}

    /**
     * Reads a row.
     *
     * @param <T> what it becomes
     */
    @FunctionalInterface
    public interface RowReader<T> {
        /**
         * Reads the current row.
         *
         * @param row positioned on it
         * @return the value
         * @throws SQLException when it cannot be read
         */
        T read(ResultSet row) throws SQLException;
    }

    /**
     * All rows of a query.
     *
     * @param <T> what a row becomes
     * @param connection where to run
     * @param sql statement text, constant
     * @param reader reads a row
     * @param parameters bound in order
     * @return the rows, in order
     * @throws SQLException as the driver says
     */
    public static <T> List<T> list(
            Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rows.next()) {
                result.add(reader.read(rows));
            }
            return result;
        }
    }

    /**
     * The only row of a query, if there is one.
     *
     * @param <T> what the row becomes
     * @param connection where to run
     * @param sql statement text, constant
     * @param reader reads the row
     * @param parameters bound in order
     * @return the row, or empty
     * @throws SQLException as the driver says
     * @throws IllegalStateException when there is more than one row
     */
    public static <T> Optional<T> find(
            Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = list(connection, sql, reader, parameters);
        if (rows.size() > 1) {
            throw new IllegalStateException("one row expected, got " + rows.size() + ": indicates a bug");
        }
        return rows.stream().findFirst();
    }

    /**
     * The only row of a query.
     *
     * @param <T> what the row becomes
     * @param connection where to run
     * @param sql statement text, constant
     * @param reader reads the row
     * @param parameters bound in order
     * @return the row
     * @throws SQLException as the driver says
     * @throws IllegalStateException when there is not exactly one row
     */
    public static <T> T one(Connection connection, String sql, RowReader<T> reader, @Nullable Object... parameters)
            throws SQLException {
        return find(connection, sql, reader, parameters)
                .orElseThrow(() -> new IllegalStateException("one row expected, got 0: indicates a bug"));
    }

    /**
     * Runs a statement that changes rows.
     *
     * @param connection where to run
     * @param sql statement text, constant
     * @param parameters bound in order
     * @return number of rows
     * @throws SQLException as the driver says
     */
    public static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    /**
     * Runs a statement whose result is of no interest (DDL, SET, a function that returns void).
     *
     * @param connection where to run
     * @param sql statement text, constant
     * @param parameters bound in order
     * @throws SQLException as the driver says
     */
    public static void run(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            statement.execute();
        }
    }

    /**
     * Calls a step: a SQL function that answers {@code done}, {@code already done} or {@code refused: why}.
     *
     * @param connection where to run, in autocommit
     * @param sql selects the one text value
     * @param parameters bound in order
     * @return the answer
     * @throws SQLException as the driver says
     */
    public static StepResult step(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        return StepResult.parse(one(connection, sql, row -> row.getString(1), parameters));
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }
}
