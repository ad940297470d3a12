package io.homeshard.migrate.move;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Connections to one shard as another role, see {@link MoverRole}. */
record OtherRolePools(ShardPools others, ShardId shard, String role) implements ShardPools {
    @Override
    public Connection borrow(Shard wanted) throws SQLException {
        return open(wanted, "test");
    }

    @Override
    public Connection open(Shard wanted, String applicationName) throws SQLException {
        return wanted.id().equals(shard)
                ? new PlainPools(role, MoverRole.PASSWORD).open(wanted, applicationName)
                : others.open(wanted, applicationName);
    }

    @Override
    public Connection openUnchecked(Shard wanted, String applicationName) throws SQLException {
        return open(wanted, applicationName);
    }

    @Override
    public Optional<PoolStats> stats(ShardId of) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
