package io.homeshard.migrate.move;

import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.schema.OwnSchema;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A directory and shards s1, s2, ... in service, with the application's tables under guard. */
final class MoveLab implements AutoCloseable {
    static final TenantId ACME = TenantId.of("acme");
    static final TenantId OTHER = TenantId.of("other");
    static final Duration LEASE = Duration.ofSeconds(20);
    /** Short enough to wait for, long enough not to be lost while other tests use the machine. */
    static final MoveConfig CONFIG = MoveConfig.defaults()
            .lease(new LeaseTimes(LEASE, Duration.ofSeconds(1)))
            .freeze(MoveConfig.defaults().freeze().patience(Duration.ofSeconds(20)))
            .steps(MoveConfig.defaults().steps().reachPatience(Duration.ofSeconds(10)));

    static final MoveConfig SHORT_LEASE = CONFIG.lease(new LeaseTimes(Duration.ofMillis(1500), Duration.ofMillis(300)));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final TestCluster cluster;
    final TenantSchema tables;
    final DataSource directoryDataSource;
    final Directory directory;
    final DirectoryAdmin admin;
    final MoveJournal journal;
    final WriteGuard guard = WriteGuard.create();

    private MoveLab(TestCluster cluster, TenantSchema tables, String ddl, boolean guarded) throws SQLException {
        this.cluster = cluster;
        this.tables = tables;
        this.directoryDataSource = cluster.directory().dataSource();
        OwnSchema.DIRECTORY.migrate(directoryDataSource);
        this.directory = Directory.jdbc(directoryDataSource);
        this.admin = DirectoryAdmin.jdbc(directoryDataSource);
        this.journal = MoveJournal.jdbc(directoryDataSource);
        for (int i = 0; i < cluster.shards().size(); i++) {
            bootstrap(i, ddl, guarded);
        }
    }

    static MoveLab with(int shards, TenantSchema tables, String ddl) throws SQLException {
        return new MoveLab(TestCluster.start(shards), tables, ddl, true);
    }

    /** Two shards and a directory, each on a server that can be stopped. */
    static MoveLab stoppable(TenantSchema tables, String ddl) throws SQLException {
        TestCluster cluster =
                TestCluster.builder().shards(2).dedicatedServers(true).build();
        return new MoveLab(cluster, tables, ddl, true);
    }

    /** Two shards on which nobody has installed the guard. */
    static MoveLab unguarded(TenantSchema tables, String ddl) throws SQLException {
        return new MoveLab(TestCluster.start(2), tables, ddl, false);
    }

    /** Two shards with the tables of the shop. */
    static MoveLab shop() throws SQLException {
        return with(2, Shop.TABLES, Shop.DDL);
    }

    private void bootstrap(int index, String ddl, boolean guarded) throws SQLException {
        Database database = cluster.shard(index);
        OwnSchema.SHARD.migrate(database.dataSource());
        Shard shard = admin.addShard(Shard.of("s" + (index + 1), database.jdbcUrl()));
        try (Connection connection = database.connect()) {
            execute(connection, ddl);
            guard.identify(connection, new ShardIdentity(admin.identity().id(), shard.id(), shard.incarnation()));
            if (guarded) {
                guard.install(connection, tables, Duration.ofSeconds(5));
            }
        }
        admin.bootstrapped(shard.id());
    }

    ShardId shard(int number) {
        return ShardId.of("s" + number);
    }

    Connection connect(ShardId shard) throws SQLException {
        return cluster.shard(Integer.parseInt(shard.value().substring(1)) - 1).connect();
    }

    MoveParts parts(MoveConfig config) {
        Database any = cluster.directory();
        return new MoveParts(
                directory, journal, guard, new PlainPools(any.user(), any.password()), tables, Clocks.system(), config);
    }

    MoveEngine engine() {
        return engine(CONFIG);
    }

    MoveEngine engine(MoveConfig config) {
        return MoveEngine.of(parts(config));
    }

    /** A mover that connects as somebody else, see {@link MoverRole}. */
    MoveEngine engineAs(String role) {
        MoveParts p = parts(CONFIG);
        return MoveEngine.of(new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                new PlainPools(role, MoverRole.PASSWORD),
                p.tables(),
                p.clocks(),
                p.config()));
    }

    MoveEngine engine(MoveConfig config, StepHook hook) {
        return new MoveEngine(parts(config), hook);
    }

    /** Creates a tenant as the library does. */
    void tenant(TenantId tenant, ShardId shard) throws SQLException {
        Provisioning p = admin.beginCreate(tenant, shard, UUID.randomUUID(), LEASE);
        MoverToken token = new MoverToken(tenant, p.operation(), p.epoch(), 1);
        try (Connection connection = connect(shard)) {
            ok(guard.reserve(connection, token, p.generation()));
            ok(guard.markVerified(connection, token, p.generation()));
            ok(admin.commitCreate(p));
            ok(guard.activate(connection, token, p.generation()));
            ok(admin.endCreate(p));
        }
    }

    private static void ok(StepResult result) {
        if (!result.ok()) {
            throw new IllegalStateException(result.toString());
        }
    }

    Placement placement(TenantId tenant) {
        return directory.find(tenant).orElseThrow();
    }

    Optional<Ownership> ownership(ShardId shard, TenantId tenant) {
        try (Connection connection = connect(shard)) {
            return guard.ownership(connection, tenant);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** State of the tenant on a shard; null when the shard has no record. */
    @Nullable
    OwnershipState state(ShardId shard, TenantId tenant) {
        return ownership(shard, tenant).map(Ownership::state).orElse(null);
    }

    /** Shards that say they own the tenant and let it write. */
    List<ShardId> owners(TenantId tenant) {
        List<ShardId> owners = new ArrayList<>();
        for (int number = 1; number <= cluster.shards().size(); number++) {
            if (state(shard(number), tenant) == OwnershipState.OWNED) {
                owners.add(shard(number));
            }
        }
        return owners;
    }

    MoveReport move(TenantId tenant, ShardId target) {
        MoveEngine engine = engine();
        MovePlan plan = engine.plan(tenant, target);
        boolean empty =
                plan.obstacles().stream().anyMatch(finding -> finding.name().equals("no-rows"));
        return engine.execute(empty ? plan.accepting("no-rows") : plan, MoveListener.NONE);
    }

    void run(ShardId shard, String sql, @Nullable Object... parameters) {
        try (Connection connection = connect(shard)) {
            Jdbc.run(connection, sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of all rows, as text. */
    List<String> query(ShardId shard, String sql, @Nullable Object... parameters) {
        try (Connection connection = connect(shard)) {
            return Jdbc.list(connection, sql, row -> row.getString(1), parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    long count(ShardId shard, String sql, @Nullable Object... parameters) {
        return Long.parseLong(query(shard, sql, parameters).get(0));
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Lets a move's lease run out, as time would, by the directory's clock. */
    void expire(UUID move) {
        try (Connection connection = directoryDataSource.getConnection()) {
            Jdbc.run(connection, "UPDATE homeshard.move SET lease_until = clock_timestamp() WHERE id = ?", move);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void awaitLeaseOver(UUID move) {
        await(() -> journal.find(move).orElseThrow().leaseExpired());
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not so within " + PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
