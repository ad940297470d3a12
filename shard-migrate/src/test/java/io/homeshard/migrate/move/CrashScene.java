package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.Directory;
import io.homeshard.directory.MoveJournal;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.pool.PoolStats;
import io.homeshard.pool.ShardPools;
import io.homeshard.test.Database;
import io.homeshard.test.FaultProxy;
import io.homeshard.test.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;

/** Where cells are played, one after the other: servers that can be stopped, and a network that can be cut. */
final class CrashScene implements AutoCloseable {
    static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.books (tenant_id text NOT NULL, id int NOT NULL, title text, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.chapters (
              tenant_id text NOT NULL, book int NOT NULL, chapter int NOT NULL, PRIMARY KEY (tenant_id, book, chapter),
              FOREIGN KEY (tenant_id, book) REFERENCES app.books);
            -- without a reference and with random keys: only the guard refuses a stray row
            CREATE TABLE app.entries (
              tenant_id text NOT NULL, id uuid NOT NULL DEFAULT gen_random_uuid(), mark text NOT NULL,
              number bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (tenant_id, id));
            """;
    static final int BOOKS = 60;
    static final ShardId S1 = ShardId.of("s1");
    static final ShardId S2 = ShardId.of("s2");

    /** Of movers that meet a fault: they give up soon. */
    static final MoveConfig CONFIG = MoveConfig.defaults()
            .lease(new LeaseTimes(Duration.ofSeconds(15), Duration.ofMillis(400)))
            .freeze(new FreezeTimes(
                    Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(50), Duration.ofSeconds(10)))
            .steps(new StepTimes(
                    Duration.ofMillis(600), Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(5)))
            .sweepBatch(25);

    /** Of movers that come afterwards. */
    static final MoveConfig PATIENT = CONFIG.lease(new LeaseTimes(Duration.ofSeconds(20), Duration.ofSeconds(1)))
            .steps(new StepTimes(
                    Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(30)));

    private static final String BOOK_ROWS = """
            SELECT r FROM (SELECT tenant_id AS t, b::text AS r FROM app.books b
                           UNION ALL SELECT tenant_id, c::text FROM app.chapters c) rows
             WHERE t = ? ORDER BY 1
            """;
    private static final String ROWS = """
            SELECT r FROM (SELECT tenant_id AS t, b::text AS r FROM app.books b
                           UNION ALL SELECT tenant_id, c::text FROM app.chapters c
                           UNION ALL SELECT tenant_id, o::text FROM homeshard.ownership o) rows
             WHERE t = ? ORDER BY 1
            """;

    final MoveLab lab;
    final List<FaultProxy> proxies = new ArrayList<>();
    private final TenantId near = TenantId.of("bystander on s1");
    private final TenantId far = TenantId.of("bystander on s2");
    private final List<String> bystanders;

    CrashScene() throws SQLException {
        this.lab = MoveLab.stoppable(TABLES, DDL);
        for (Database database : List.of(lab.cluster.directory(), lab.cluster.shard(0), lab.cluster.shard(1))) {
            proxies.add(FaultProxy.to(database.host(), database.port()));
        }
        create(near, S1);
        create(far, S2);
        this.bystanders = bystanders();
    }

    /** Creates a tenant with books. */
    List<String> create(TenantId tenant, ShardId shard) throws SQLException {
        lab.tenant(tenant, shard);
        lab.run(
                shard,
                "INSERT INTO app.books SELECT ?, g, 'book ' || g FROM generate_series(1, ?) g",
                tenant.value(),
                BOOKS);
        lab.run(shard, "INSERT INTO app.chapters SELECT ?, g, 1 FROM generate_series(1, ?) g", tenant.value(), BOOKS);
        return books(shard, tenant);
    }

    List<String> books(ShardId shard, TenantId tenant) {
        return lab.query(shard, BOOK_ROWS, tenant.value());
    }

    private List<String> bystanders() {
        List<String> rows = new ArrayList<>(lab.query(S1, ROWS, near.value()));
        rows.addAll(lab.query(S2, ROWS, far.value()));
        return rows;
    }

    void bystandersAreAsTheyWere() {
        assertThat(bystanders()).as("other tenants").isEqualTo(bystanders).hasSizeGreaterThan(2 * BOOKS);
    }

    PostgresServer server(CrashFault fault) {
        return switch (fault) {
            case DIRECTORY_STOPPED -> lab.cluster.directoryServer();
            case SOURCE_STOPPED -> lab.cluster.shardServer(0);
            case TARGET_STOPPED -> lab.cluster.shardServer(1);
            default -> throw new IllegalArgumentException("fault stops no server: " + fault);
        };
    }

    /** A mover's parts, whose connections all go through the proxies. */
    MoveParts proxied() {
        MoveParts p = lab.parts(CONFIG);
        PGSimpleDataSource directory = new PGSimpleDataSource();
        directory.setUrl(proxies.get(0).jdbcUrl(lab.cluster.directory().name()));
        directory.setUser(lab.cluster.directory().user());
        directory.setPassword(lab.cluster.directory().password());
        directory.setLoginTimeout(1);
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            urls.add(proxies.get(i + 1).jdbcUrl(lab.cluster.shard(i).name()));
        }
        return new MoveParts(
                Directory.jdbc(directory),
                MoveJournal.jdbc(directory),
                p.guard(),
                new ProxiedPools(p.pools(), urls),
                p.tables(),
                p.clocks(),
                p.config());
    }

    /** Everything is there again. */
    void heal() {
        lab.cluster.directoryServer().start();
        lab.cluster.shardServer(0).start();
        lab.cluster.shardServer(1).start();
        proxies.forEach(FaultProxy::heal);
    }

    @Override
    public void close() {
        heal();
        proxies.forEach(FaultProxy::close);
        lab.close();
    }

    private record ProxiedPools(ShardPools pools, List<String> urls) implements ShardPools {
        @Override
        public Connection borrow(Shard wanted) throws SQLException {
            return open(wanted, "test");
        }

        @Override
        public Connection open(Shard wanted, String applicationName) throws SQLException {
            String url = urls.get(wanted.id().equals(S1) ? 0 : 1);
            return pools.open(Shard.of(wanted.id().value(), url), applicationName);
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
}
