package io.homeshard.routing;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The one data source that application code uses: each connection leads to the shard of the tenant whose scope is open
 * on the calling thread. Thread-safe.
 *
 * <p>A wrapper that keeps connections between calls, or a pool on top of this one, would hand a tenant's connection to
 * another tenant's scope; such a connection refuses to work there.
 */
public final class RoutingDataSource implements DataSource {
    private final Router router;

    /**
     * Over a router.
     *
     * @param router decides
     */
    public RoutingDataSource(Router router) {
        this.router = router;
    }

    /**
     * A connection of the current scope; see {@link Router#connection()} for the errors.
     *
     * @return a connection in autocommit
     * @throws SQLException with our exception as its cause
     */
    @Override
    public Connection getConnection() throws SQLException {
        return router.connection();
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
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the wait is bounded by PoolConfig.connectionTimeout");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
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
        if (type.isInstance(router)) {
            return type.cast(router);
        }
        throw new SQLException("not a wrapper for " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this) || type.isInstance(router);
    }
}
