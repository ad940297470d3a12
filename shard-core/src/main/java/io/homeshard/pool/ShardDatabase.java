package io.homeshard.pool;

import io.homeshard.model.HomeshardClosedException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens physical connections to shards: asks for credentials each time, so that a rotated password is seen. */
final class ShardDatabase {
    private final Function<Shard, ShardCredentials> credentials;
    private final ConnectionCheck check;
    private final Duration timeout;
    private volatile boolean closed;

    ShardDatabase(Function<Shard, ShardCredentials> credentials, ConnectionCheck check, Duration timeout) {
        this.credentials = credentials;
        this.check = check;
        this.timeout = timeout;
    }

    /** From here on no connection is opened, also not by pools that are being retired. */
    void close() {
        closed = true;
    }

    static SQLException closed(@Nullable Throwable cause) {
        HomeshardClosedException why = new HomeshardClosedException();
        if (cause != null) {
            why.addSuppressed(cause);
        }
        return new SQLNonTransientConnectionException(why.getMessage(), "08003", why);
    }

    Connection openUnchecked(Shard shard, String applicationName) throws SQLException {
        if (closed) {
            throw closed(null);
        }
        ShardCredentials login;
        try {
            login = credentials.apply(shard);
        } catch (RuntimeException e) {
            throw new SQLTransientConnectionException("shard " + shard.id() + " - no credentials to be had", e);
        }
        Properties properties = new Properties();
        properties.setProperty("user", login.user());
        properties.setProperty("password", login.password());
        properties.setProperty("ApplicationName", applicationName);
        properties.setProperty("tcpKeepAlive", "true");
        // whole seconds, rounded up: 0 would wait for ever
        String seconds = Long.toString(Math.max(1, timeout.plusMillis(999).toSeconds()));
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        return DriverManager.getDriver(shard.jdbcUrl()).connect(shard.jdbcUrl(), properties);
    }

    /** A connection that turned out to be the wrong database, or too slow to say which, is closed before it is used. */
    Connection open(Shard shard, String applicationName) throws SQLException {
        Connection connection = openUnchecked(shard, applicationName);
        try {
            int before = connection.getNetworkTimeout(); // the address may say socketTimeout
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
            check.check(connection, shard);
            connection.setNetworkTimeout(Runnable::run, before);
            return connection;
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.close();
            } catch (SQLException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }
}
