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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections whose user stops dead beside one of its commits that have written something. */
final class CommitTrap implements ShardPools {
    private static final String WROTE = "SELECT pg_current_xact_id_if_assigned() IS NOT NULL";

    private final ShardPools pools;
    private final CrashPoint.When when;
    private final int number;
    private final AtomicInteger commits = new AtomicInteger();

    /** Stops at that commit, counted from 1; never at 0. */
    CommitTrap(ShardPools pools, CrashPoint.When when, int number) {
        this.pools = pools;
        this.when = when;
        this.number = number;
    }

    /** That the user stopped there. */
    static final class Dead extends Error {
        private static final long serialVersionUID = 1L;
    }

    private Connection trapped(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                CommitTrap.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean here = method.getName().equals("commit")
                            && Jdbc.one(connection, WROTE, row -> row.getBoolean(1))
                            && commits.incrementAndGet() == number;
                    if (here && when == CrashPoint.When.BEFORE) {
                        throw new Dead();
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (here) {
                            throw new Dead();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection borrow(Shard shard) throws SQLException {
        return open(shard, "test");
    }

    @Override
    public Connection open(Shard shard, String applicationName) throws SQLException {
        return trapped(pools.open(shard, applicationName));
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
