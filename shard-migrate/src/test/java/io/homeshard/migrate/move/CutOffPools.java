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
record CutOffPools(ShardPools pools, Set<ShardId> cutOff, String sqlState) implements ShardPools {
    /** PostgreSQL's driver: the connection could not be made. */
    private static final String UNREACHABLE = "08001";

    static MoveParts parts(MoveLab lab, Set<ShardId> cutOff) {
        return parts(lab, cutOff, UNREACHABLE);
    }

    static MoveParts parts(MoveLab lab, Set<ShardId> cutOff, String sqlState) {
        MoveParts p = lab.parts(MoveLab.CONFIG);
        return new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                new CutOffPools(p.pools(), cutOff, sqlState),
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
            throw new SQLException("cut off by the test", sqlState);
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
