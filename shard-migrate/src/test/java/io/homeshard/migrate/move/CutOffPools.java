package io.homeshard.migrate.move;

import io.homeshard.directory.DirectoryMending;
import io.homeshard.guard.ShardMending;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import io.homeshard.tenants.Reconciliation;
import io.homeshard.tenants.ReconciliationParts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Connections to all shards but those that are cut off at the time. */
record CutOffPools(ShardPools pools, Set<ShardId> cutOff) implements ShardPools {
    static MoveParts parts(MoveLab lab, Set<ShardId> cutOff) {
        MoveParts p = lab.parts(MoveLab.CONFIG);
        return new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                new CutOffPools(p.pools(), cutOff),
                p.tables(),
                p.clocks(),
                p.config());
    }

    static Reconciliation reconciliation(MoveLab lab, Set<ShardId> cutOff) {
        return reconciliation(lab, parts(lab, cutOff).pools());
    }

    static Reconciliation reconciliation(MoveLab lab, ShardPools pools) {
        return Reconciliation.of(new ReconciliationParts(
                lab.directory,
                lab.admin,
                lab.journal,
                DirectoryMending.jdbc(lab.directoryDataSource),
                lab.guard,
                ShardMending.create(),
                pools));
    }

    @Override
    public Connection borrow(Shard shard) throws SQLException {
        return open(shard, "test");
    }

    @Override
    public Connection open(Shard shard, String applicationName) throws SQLException {
        if (cutOff.contains(shard.id())) {
            throw new SQLException("cut off by the test", "08001");
        }
        return pools.open(shard, applicationName);
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
