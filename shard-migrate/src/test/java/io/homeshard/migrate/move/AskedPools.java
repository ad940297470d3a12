package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Connections that note, before each commit of something written, how long their transaction may idle. */
record AskedPools(ShardPools pools, List<String> limits) implements ShardPools {
    private static final String LIMIT = """
            SELECT current_setting('idle_in_transaction_session_timeout')
             WHERE pg_current_xact_id_if_assigned() IS NOT NULL
            """;

    @Override
    public Connection borrow(Shard shard) throws SQLException {
        return open(shard, "test");
    }

    @Override
    public Connection open(Shard shard, String applicationName) throws SQLException {
        Connection real = pools.open(shard, applicationName);
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        limits.addAll(Jdbc.list(real, LIMIT, row -> row.getString(1)));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection openUnchecked(Shard shard, String applicationName) throws SQLException {
        return open(shard, applicationName);
    }

    @Override
    public Optional<PoolStats> stats(ShardId shard) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
