package io.homeshard;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The application's data source of the directory, which is not ours to close: hands out connections as long as
 * Homeshard is open, and then throws {@link io.homeshard.model.HomeshardClosedException}. Everything that Homeshard
 * does in the directory goes through it.
 */
final class OpenDataSource implements DataSource {
    private final DataSource source;
    private final Lifetime lifetime;

    OpenDataSource(DataSource source, Lifetime lifetime) {
        this.source = source;
        this.lifetime = lifetime;
    }

    @Override
    public Connection getConnection() throws SQLException {
        lifetime.requireOpen();
        return source.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        lifetime.requireOpen();
        return source.getConnection(user, password);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(source) || source.isWrapperFor(type);
    }
}
