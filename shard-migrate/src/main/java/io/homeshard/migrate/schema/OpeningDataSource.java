package io.homeshard.migrate.schema;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Shard;
import io.homeshard.pool.ShardPools;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one shard apart from its pool: a roll-out needs several at once and changes their settings. They are
 * not checked for the shard's identity, which the roll-out itself looks at first.
 */
final class OpeningDataSource implements DataSource {
    private static final String APPLICATION_NAME = "homeshard-rollout";

    // notices such as "already exists, skipping" would come out as warnings of Flyway; a script that waits for a table
    // makes everybody else wait behind it
    private static final String SETTINGS = """
            SELECT pg_catalog.set_config('client_min_messages', 'warning', false),
                   pg_catalog.set_config('lock_timeout', '30s', false)
            """;

    private final ShardPools pools;
    private final Shard shard;

    OpeningDataSource(ShardPools pools, Shard shard) {
        this.pools = pools;
        this.shard = shard;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = pools.openUnchecked(shard, APPLICATION_NAME);
        try {
            Jdbc.run(connection, SETTINGS);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("credentials come from ShardCredentials");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("logging goes through slf4j");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the timeout is the pool's");
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
        throw new SQLException("not a wrapper of " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
