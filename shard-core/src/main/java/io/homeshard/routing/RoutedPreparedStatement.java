package io.homeshard.routing;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A prepared statement whose every execution is seen by its {@link RoutedConnection}. */
class RoutedPreparedStatement extends DelegatingPreparedStatement {
    private final PreparedStatement delegate;
    private final String sql;

    RoutedPreparedStatement(RoutedConnection connection, PreparedStatement delegate, String sql) {
        super(connection, delegate);
        this.delegate = delegate;
        this.sql = sql;
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        return connection.observe(sql, () -> delegate.executeQuery());
    }

    @Override
    public int executeUpdate() throws SQLException {
        return connection.observe(sql, () -> delegate.executeUpdate());
    }

    @Override
    public boolean execute() throws SQLException {
        return connection.observe(sql, () -> delegate.execute());
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return connection.observe(sql, () -> delegate.executeLargeUpdate());
    }
}
