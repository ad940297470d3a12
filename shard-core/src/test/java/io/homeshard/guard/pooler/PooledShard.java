package io.homeshard.guard.pooler;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A guarded shard with the mover on a connection of its own, not behind the pooler: only the application is. One
 * thread plays the mover.
 */
final class PooledShard implements AutoCloseable {
    /** The application's role, which is its password too. */
    static final String ROLE = "pooled";

    /** Where a writer is in the mover's way. */
    static final Duration BRIEF = Duration.ofMillis(40);

    /** Long enough on an overloaded machine where nobody is. */
    static final Duration PATIENT = Duration.ofMillis(900);

    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("pooled")
            .writtenInBulk("pooled.bulk")
            .build();

    private static final String BLIND = """
            CREATE OR REPLACE FUNCTION homeshard.unguarded() RETURNS TABLE (tab text, problem text)
              LANGUAGE sql STABLE AS 'SELECT NULL, NULL WHERE false'""";

    private static final String DISARM = """
            DO $$
            DECLARE t record;
            BEGIN
              FOR t IN SELECT g.tgrelid::regclass AS tab, g.tgname FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
                  JOIN pg_namespace n ON n.oid = p.pronamespace
                 WHERE n.nspname = 'homeshard' AND g.tgrelid::regclass::text LIKE 'pooled.%' AND NOT g.tgisinternal LOOP
                EXECUTE format('ALTER TABLE ONLY %s DISABLE TRIGGER %I', t.tab, t.tgname);
              END LOOP;
            END $$""";

    private static final String ROWS = """
            SELECT k, v FROM pooled.ledger WHERE tenant_id = ? UNION ALL SELECT k, v FROM pooled.part WHERE tenant_id = ?
            UNION ALL SELECT k, v FROM pooled.bulk WHERE tenant_id = ? ORDER BY k, v""";

    private static final AtomicLong NUMBERS = new AtomicLong(1000);

    private final TestCluster cluster;
    private final WriteGuard guard = WriteGuard.create();
    private final Map<String, MoverToken> movers = new HashMap<>();
    private final Client owner;

    private PooledShard(TestCluster cluster) throws SQLException {
        this.cluster = cluster;
        this.owner = new Client(database().connect());
    }

    static PooledShard create() throws SQLException, IOException {
        TestCluster cluster = TestCluster.start(1);
        ShardSchemas.migrateShard(cluster.shard(0).dataSource());
        PooledShard shard = new PooledShard(cluster);
        try (InputStream in = Objects.requireNonNull(PooledShard.class.getResourceAsStream("shard.sql"))) {
            shard.owner.run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        shard.guard.install(shard.owner.connection(), TABLES, PATIENT);
        return shard;
    }

    Database database() {
        return cluster.shard(0);
    }

    /** A session of the owner, past the pooler. */
    Client owner() {
        return owner;
    }

    /** Takes the guard off the tables so that the mover does not notice. */
    void disarm() throws SQLException {
        weaken(DISARM);
    }

    /** Changes the guard so that the mover does not notice. */
    void weaken(String sql) throws SQLException {
        owner.run(BLIND);
        owner.run(sql);
    }

    /** A name that no test has used. */
    static String foreign() {
        return "t" + NUMBERS.incrementAndGet();
    }

    /** A new tenant that this shard owns. */
    String owned() throws SQLException {
        String tenant = foreign();
        MoverToken creation = next(tenant);
        done(guard.reserve(owner.connection(), creation, 1));
        done(guard.markVerified(owner.connection(), creation, 1));
        done(guard.activate(owner.connection(), creation, 1));
        return tenant;
    }

    /** Freezes an owned tenant that nobody uses. */
    void freeze(String tenant) throws SQLException {
        if (!freezes(tenant, PATIENT)) {
            throw new IllegalStateException("tenant is in use");
        }
    }

    /** One attempt to freeze an owned tenant: false when a writer is in the way. */
    boolean freezes(String tenant, Duration lockTimeout) throws SQLException {
        MoverToken mover = next(tenant);
        try {
            done(guard.freeze(owner.connection(), mover, 1, lockTimeout));
            movers.put(tenant, mover);
            return true;
        } catch (SQLException e) {
            if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState())) {
                throw e;
            }
            return false;
        }
    }

    void thaw(String tenant) throws SQLException {
        done(guard.unfreeze(owner.connection(), mover(tenant), 1));
    }

    /** From frozen to moved. */
    void moveAway(String tenant) throws SQLException {
        done(guard.markMoved(owner.connection(), mover(tenant), 1, ShardId.of("elsewhere")));
    }

    /** All rows of the tenant as {@code key=value}, in order. */
    List<String> rows(String tenant) throws SQLException {
        return Jdbc.list(
                owner.connection(), ROWS, row -> row.getLong(1) + "=" + row.getLong(2), tenant, tenant, tenant);
    }

    /** Polls until a query says true. */
    void await(String query, @Nullable Object... parameters) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try (Client observer = new Client(database().connect())) {
            while (!observer.value(query, parameters).equals("true")) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("still false: " + query);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    private MoverToken mover(String tenant) {
        return Objects.requireNonNull(movers.get(tenant), "never frozen");
    }

    private static MoverToken next(String tenant) {
        return new MoverToken(TenantId.of(tenant), UUID.randomUUID(), NUMBERS.incrementAndGet(), 1);
    }

    private static void done(StepResult result) {
        if (!result.ok()) {
            throw new IllegalStateException("mover's step " + result);
        }
    }

    @Override
    public void close() throws SQLException {
        owner.close();
        cluster.close();
    }
}
