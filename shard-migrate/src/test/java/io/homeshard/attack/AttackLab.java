package io.homeshard.attack;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.homeshard.Homeshard;
import io.homeshard.HomeshardBuilder;
import io.homeshard.directory.Directory;
import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.move.LeaseTimes;
import io.homeshard.migrate.move.MoveConfig;
import io.homeshard.migrate.move.MoveEngine;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MoveParts;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.migrate.move.PlainPools;
import io.homeshard.migrate.schema.OwnSchema;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
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
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A directory and shards s1, s2, ... in service, with the application's tables under guard. */
final class AttackLab implements AutoCloseable {
    static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    static final Duration LEASE = Duration.ofSeconds(20);
    static final MoveConfig CONFIG = MoveConfig.defaults()
            .lease(new LeaseTimes(LEASE, Duration.ofSeconds(1)))
            .freeze(MoveConfig.defaults().freeze().patience(Duration.ofSeconds(20)))
            .steps(MoveConfig.defaults().steps().reachPatience(Duration.ofSeconds(10)));

    final TestCluster cluster;
    final DataSource directoryDataSource;
    final Directory directory;
    final DirectoryAdmin admin;
    final MoveJournal journal;
    final WriteGuard guard = WriteGuard.create();
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<HikariDataSource> impatient = new ArrayList<>();

    AttackLab(int shards, String ddl) throws SQLException {
        this.cluster = TestCluster.start(shards);
        this.directoryDataSource = pool(cluster.directory(), "SELECT 1");
        OwnSchema.DIRECTORY.migrate(directoryDataSource);
        this.directory = Directory.jdbc(directoryDataSource);
        this.admin = DirectoryAdmin.jdbc(directoryDataSource);
        this.journal = MoveJournal.jdbc(directoryDataSource);
        for (int i = 0; i < shards; i++) {
            bootstrap(i, ddl);
            impatient.add(pool(cluster.shard(i), "SET lock_timeout = '10ms'"));
        }
    }

    private HikariDataSource pool(Database database, String first) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setConnectionInitSql(first);
        config.setMinimumIdle(0);
        config.setMaximumPoolSize(20);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /** A session that waits for no lock. */
    Connection impatient(ShardId shard) throws SQLException {
        return impatient.get(Integer.parseInt(shard.value().substring(1)) - 1).getConnection();
    }

    private void bootstrap(int index, String ddl) throws SQLException {
        Database database = cluster.shard(index);
        OwnSchema.SHARD.migrate(database.dataSource());
        Shard shard = admin.addShard(Shard.of("s" + (index + 1), database.jdbcUrl()));
        try (Connection connection = database.connect()) {
            execute(connection, ddl);
            guard.identify(connection, new ShardIdentity(admin.identity().id(), shard.id(), shard.incarnation()));
            guard.install(connection, TABLES, Duration.ofSeconds(5));
        }
        admin.bootstrapped(shard.id());
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    ShardId shard(int number) {
        return ShardId.of("s" + number);
    }

    Connection connect(ShardId shard) throws SQLException {
        return cluster.shard(Integer.parseInt(shard.value().substring(1)) - 1).connect();
    }

    MoveEngine engine() {
        Database any = cluster.directory();
        return MoveEngine.of(new MoveParts(
                directory,
                journal,
                guard,
                new PlainPools(any.user(), any.password()),
                TABLES,
                Clocks.system(),
                CONFIG));
    }

    /** An instance of the application. */
    Homeshard homeshard(boolean listening, HomeshardBuilder settings) {
        Database any = cluster.directory();
        return settings.directory(directoryDataSource)
                .credentials(shard -> new ShardCredentials(any.user(), any.password()))
                .tables(TABLES)
                .listen(listening)
                .build();
    }

    /** Creates a tenant as the library does, all but the last step. */
    Provisioning almost(TenantId tenant, ShardId shard) throws SQLException {
        Provisioning p = admin.beginCreate(tenant, shard, UUID.randomUUID(), Duration.ofMillis(1));
        MoverToken token = new MoverToken(tenant, p.operation(), p.epoch(), 1);
        try (Connection connection = connect(shard)) {
            ok(guard.reserve(connection, token, p.generation()));
            ok(guard.markVerified(connection, token, p.generation()));
            ok(admin.commitCreate(p));
            ok(guard.activate(connection, token, p.generation()));
        }
        return p;
    }

    TenantId tenant(String name, ShardId shard) throws SQLException {
        TenantId tenant = TenantId.of(name);
        ok(admin.endCreate(almost(tenant, shard)));
        return tenant;
    }

    private static void ok(StepResult result) {
        if (!result.ok()) {
            throw new IllegalStateException(result.toString());
        }
    }

    MoveReport move(TenantId tenant, ShardId target) {
        return move(tenant, target, MoveListener.NONE);
    }

    MoveReport move(TenantId tenant, ShardId target, MoveListener listener) {
        MoveEngine engine = engine();
        MovePlan plan = engine.plan(tenant, target);
        String[] warnings = plan.obstacles().stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::name)
                .distinct()
                .toArray(String[]::new);
        return engine.execute(plan.accepting(warnings), listener);
    }

    /** Does something when a move enters a phase. */
    static MoveListener at(MovePhase phase, Runnable action) {
        return new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                if (move.phase() == phase) {
                    action.run();
                }
            }
        };
    }

    /** Shards that say they own the tenant and let it write. */
    List<ShardId> owners(TenantId tenant) {
        return IntStream.rangeClosed(1, cluster.shards().size())
                .mapToObj(this::shard)
                .filter(shard -> ownership(shard, tenant)
                        .filter(row -> row.state() == OwnershipState.OWNED)
                        .isPresent())
                .toList();
    }

    Optional<Ownership> ownership(ShardId shard, TenantId tenant) {
        try (Connection connection = impatient(shard)) {
            return guard.ownership(connection, tenant);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
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
        try (Connection connection = impatient(shard)) {
            return Jdbc.list(connection, sql, row -> row.getString(1), parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void inDirectory(String sql, @Nullable Object... parameters) {
        try (Connection connection = directoryDataSource.getConnection()) {
            Jdbc.run(connection, sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        cluster.close();
    }
}
