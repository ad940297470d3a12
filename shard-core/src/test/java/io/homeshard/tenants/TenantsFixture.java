package io.homeshard.tenants;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.placement.HashRing;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A directory and two shards with their schemas, and tenants over them. */
final class TenantsFixture implements AutoCloseable {
    static final ShardId S1 = ShardId.of("s1");
    static final ShardId S2 = ShardId.of("s2");

    final TestCluster cluster = TestCluster.start(2);
    final Directory directory = Directory.jdbc(cluster.directory().dataSource());
    final DirectoryAdmin admin = DirectoryAdmin.jdbc(cluster.directory().dataSource());
    final WriteGuard guard = WriteGuard.create();
    final Set<ShardId> unreachable = ConcurrentHashMap.newKeySet();
    final TenantsParts parts = new TenantsParts(directory, admin, guard, new DriverManagerPools(), HashRing.create());

    TenantsFixture() {
        ShardSchemas.migrateDirectory(cluster.directory().dataSource());
        for (ShardId id : List.of(S1, S2)) {
            int index = id.equals(S1) ? 0 : 1;
            ShardSchemas.migrateShard(cluster.shard(index).dataSource());
            admin.addShard(Shard.of(id.value(), cluster.shard(index).jdbcUrl()));
            admin.bootstrapped(id);
        }
    }

    Tenants tenants() {
        return tenants(step -> {});
    }

    Tenants tenants(Consumer<ProvisioningStep> steps) {
        return new ProvisionedTenants(parts, ProvisionedTenants.LEASE, steps);
    }

    Tenants tenants(Duration lease) {
        return new ProvisionedTenants(parts, lease, step -> {});
    }

    /** Lets all leases run out by the directory's clock. */
    void expire() {
        try (Connection connection = cluster.directory().connect()) {
            Jdbc.run(connection, "UPDATE homeshard.provisioning SET lease_until = clock_timestamp() - interval '1 ms'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    Optional<Ownership> onShard(ShardId shard, TenantId tenant) {
        try (Connection connection = cluster.shard(shard.equals(S1) ? 0 : 1).connect()) {
            return guard.ownership(connection, tenant);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the two witnesses disagree about once nothing is under way; empty is good. */
    List<String> disagreements(TenantId tenant) {
        List<String> found = new ArrayList<>();
        Optional<Placement> placement = directory.find(tenant);
        if (placement.isPresent() && placement.get().state() != PlacementState.ACTIVE) {
            found.add("placement is " + placement.get().state());
        }
        for (ShardId shard : List.of(S1, S2)) {
            boolean here = placement.isPresent() && placement.get().shard().equals(shard);
            Optional<Ownership> row = onShard(shard, tenant);
            boolean owned = row.isPresent()
                    && row.get().state() == OwnershipState.OWNED
                    && here
                    && row.get().generation() == placement.get().generation();
            if (here != owned || (!here && row.isPresent())) {
                found.add("shard " + shard + " has " + row + ", directory " + placement);
            }
        }
        return found;
    }

    long journaled() {
        try (Connection connection = cluster.directory().connect()) {
            return Jdbc.one(connection, "SELECT count(*) FROM homeshard.provisioning", row -> row.getLong(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }

    /** Connections without a pool; a shard can be cut off. */
    private final class DriverManagerPools implements ShardPools {
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
            if (unreachable.contains(shard.id())) {
                throw new SQLException("cut off by the test", "08001");
            }
            Properties properties = new Properties();
            properties.setProperty("user", cluster.directory().user());
            properties.setProperty("password", cluster.directory().password());
            properties.setProperty("ApplicationName", applicationName);
            return DriverManager.getConnection(shard.jdbcUrl(), properties);
        }

        @Override
        public Optional<PoolStats> stats(ShardId shard) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
