package io.homeshard.migrate.move;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

/** Opens connections of its own; a mover uses no others. */
public record PlainPools(String user, String password) implements ShardPools {
    @Override
    public Connection borrow(Shard shard) throws SQLException {
        return open(shard, "test");
    }

    @Override
    public Connection open(Shard shard, String applicationName) throws SQLException {
        return openUnchecked(shard, applicationName);
    }

    @Override
    public Connection openUnchecked(Shard shard, String applicationName) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", applicationName);
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("loginTimeout", "5");
        return DriverManager.getConnection(shard.jdbcUrl(), properties);
    }

    @Override
    public Optional<PoolStats> stats(ShardId shard) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
