package io.homeshard.pool;

import io.homeshard.model.Shard;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where the pool of one shard gets its physical connections; remembers why the last attempt failed. */
final class ShardDataSource implements DataSource {
    private final ShardDatabase database;
    private final Shard shard;
    private int loginTimeout = 1;
    private volatile @Nullable SQLException lastFailure;

    ShardDataSource(ShardDatabase database, Shard shard) {
        this.database = database;
        this.shard = shard;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            Connection connection = database.open(shard, "homeshard");
            lastFailure = null;
            return connection;
        } catch (SQLException e) {
            lastFailure = e;
            throw e;
        } catch (RuntimeException e) {
            SQLException failure = new SQLTransientConnectionException(
                    "shard " + shard.id() + " - a new connection could not be checked", e);
            lastFailure = failure;
            throw failure;
        }
    }

    /** Why no connection could be made when it was last tried, or null when that worked. */
    @Nullable
    SQLException lastFailure() {
        return lastFailure;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("credentials come from ShardCredentials");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw new SQLFeatureNotSupportedException("logging goes through slf4j");
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("logging goes through slf4j");
    }

    @Override
    public void setLoginTimeout(int seconds) {
        loginTimeout = seconds;
    }

    @Override
    public int getLoginTimeout() {
        return loginTimeout;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("logging goes through slf4j");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("not a wrapper for " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
