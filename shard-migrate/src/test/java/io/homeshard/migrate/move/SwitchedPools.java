package io.homeshard.migrate.move;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Connections to one shard that answer, while a substitute is set, by the substitute: as some poolers do. */
record SwitchedPools(PlainPools pools, ShardId shard, AtomicReference<Connection> substitute) implements ShardPools {
    @Override
    public Connection borrow(Shard wanted) throws SQLException {
        return open(wanted, "test");
    }

    @Override
    public Connection open(Shard wanted, String applicationName) throws SQLException {
        Connection real = pools.open(wanted, applicationName);
        return wanted.id().equals(shard) ? switched(real) : real;
    }

    private Connection switched(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Connection other = substitute.get();
                    try {
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> proxy == arguments[0];
                            case "close", "abort" -> method.invoke(real, arguments);
                            default -> method.invoke(other == null ? real : other, arguments);
                        };
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection openUnchecked(Shard wanted, String applicationName) throws SQLException {
        return open(wanted, applicationName);
    }

    @Override
    public Optional<PoolStats> stats(ShardId of) {
        return pools.stats(of);
    }

    @Override
    public void close() {}
}
