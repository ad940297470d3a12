package io.homeshard.routing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A statement whose every execution is seen by its {@link RoutedConnection}. */
class RoutedStatement extends DelegatingStatement {
    /** Sees executions and failures. */
    final RoutedConnection connection;

    private final Statement delegate;

    RoutedStatement(RoutedConnection connection, Statement delegate) {
        super(delegate);
        this.connection = connection;
        this.delegate = delegate;
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        return connection.observe(sql, () -> delegate.executeQuery(sql));
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        return connection.observe(sql, () -> delegate.executeUpdate(sql));
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return connection.observe(sql, () -> delegate.execute(sql));
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        return connection.observe(() -> delegate.getMoreResults());
    }

    @Override
    public int[] executeBatch() throws SQLException {
        return connection.observe(() -> delegate.executeBatch());
    }

    @Override
    public boolean getMoreResults(int value) throws SQLException {
        return connection.observe(() -> delegate.getMoreResults(value));
    }

    @Override
    public int executeUpdate(String sql, int generatedKeys) throws SQLException {
        return connection.observe(sql, () -> delegate.executeUpdate(sql, generatedKeys));
    }

    @Override
    public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
        return connection.observe(sql, () -> delegate.executeUpdate(sql, columnIndexes));
    }

    @Override
    public int executeUpdate(String sql, String[] columnNames) throws SQLException {
        return connection.observe(sql, () -> delegate.executeUpdate(sql, columnNames));
    }

    @Override
    public boolean execute(String sql, int generatedKeys) throws SQLException {
        return connection.observe(sql, () -> delegate.execute(sql, generatedKeys));
    }

    @Override
    public boolean execute(String sql, int[] columnIndexes) throws SQLException {
        return connection.observe(sql, () -> delegate.execute(sql, columnIndexes));
    }

    @Override
    public boolean execute(String sql, String[] columnNames) throws SQLException {
        return connection.observe(sql, () -> delegate.execute(sql, columnNames));
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return connection.observe(() -> delegate.executeLargeBatch());
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return connection.observe(sql, () -> delegate.executeLargeUpdate(sql));
    }

    @Override
    public long executeLargeUpdate(String sql, int generatedKeys) throws SQLException {
        return connection.observe(sql, () -> delegate.executeLargeUpdate(sql, generatedKeys));
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
        return connection.observe(sql, () -> delegate.executeLargeUpdate(sql, columnIndexes));
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
        return connection.observe(sql, () -> delegate.executeLargeUpdate(sql, columnNames));
    }
}
