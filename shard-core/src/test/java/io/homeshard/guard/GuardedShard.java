package io.homeshard.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A shard with the application's table {@code note}, and short ways to put a tenant into a state. */
final class GuardedShard implements AutoCloseable {
    static final TenantSchema NOTES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("public").build();
    static final Duration SOON = Duration.ofMillis(100);

    private static final AtomicLong EPOCH = new AtomicLong(100);
    private static final AtomicLong TENANT = new AtomicLong();

    private final TestCluster cluster;
    final WriteGuard guard = WriteGuard.create();
    final Database database;

    private GuardedShard() {
        cluster = TestCluster.start(1);
        database = cluster.shard(0);
        ShardSchemas.migrateShard(database.dataSource());
    }

    /** With Homeshard's schema, but without tables. */
    static GuardedShard empty() {
        return new GuardedShard();
    }

    static GuardedShard withNotes() throws SQLException {
        GuardedShard shard = new GuardedShard();
        shard.sql("CREATE TABLE note (tenant_id text, id int, body text, PRIMARY KEY (tenant_id, id))");
        shard.sql("CREATE TABLE scrap (tenant_id text, body text)");
        shard.install(NOTES);
        return shard;
    }

    void install(TenantSchema tables) throws SQLException {
        try (Connection connection = connect()) {
            guard.install(connection, tables, SOON);
        }
    }

    Connection connect() throws SQLException {
        return database.connect();
    }

    void sql(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    long number(String query, @Nullable Object... parameters) throws SQLException {
        try (Connection connection = connect()) {
            return Jdbc.one(connection, query, row -> row.getLong(1), parameters);
        }
    }

    static TenantId tenant() {
        return TenantId.of("t" + TENANT.incrementAndGet());
    }

    /** A mover that nobody has seen before, with the highest epoch so far. */
    static MoverToken mover(TenantId tenant) {
        return new MoverToken(tenant, UUID.randomUUID(), EPOCH.incrementAndGet(), 1);
    }

    /** The next mover of the same move. */
    static MoverToken after(MoverToken older) {
        return new MoverToken(older.tenant(), older.move(), EPOCH.incrementAndGet(), older.attempt() + 1);
    }

    TenantId owned() throws SQLException {
        return owned(tenant());
    }

    TenantId owned(TenantId tenant) throws SQLException {
        MoverToken creation = incoming(tenant, 1);
        try (Connection connection = connect()) {
            done(guard.markVerified(connection, creation, 1));
            done(guard.activate(connection, creation, 1));
        }
        return tenant;
    }

    MoverToken incoming(TenantId tenant, long generation) throws SQLException {
        MoverToken token = mover(tenant);
        try (Connection connection = connect()) {
            done(guard.reserve(connection, token, generation));
        }
        return token;
    }

    /** Freezes an owned tenant of generation 1. */
    MoverToken frozen(TenantId tenant) throws SQLException {
        MoverToken token = mover(tenant);
        try (Connection connection = connect()) {
            done(guard.freeze(connection, token, 1, SOON));
        }
        return token;
    }

    MoverToken moved(TenantId tenant) throws SQLException {
        MoverToken token = frozen(tenant);
        try (Connection connection = connect()) {
            done(guard.markMoved(connection, token, 1, ShardId.of("s2")));
        }
        return token;
    }

    Ownership ownership(TenantId tenant) throws SQLException {
        try (Connection connection = connect()) {
            return guard.ownership(connection, tenant).orElseThrow();
        }
    }

    void write(TenantId tenant, int id) throws SQLException {
        try (Connection connection = connect()) {
            write(connection, tenant, id);
        }
    }

    static void write(Connection connection, TenantId tenant, int id) throws SQLException {
        Jdbc.update(connection, "INSERT INTO note (tenant_id, id) VALUES (?, ?)", tenant.value(), id);
    }

    long notes(TenantId tenant) throws SQLException {
        return number("SELECT count(*) FROM note WHERE tenant_id = ?", tenant.value());
    }

    static void done(StepResult answer) {
        assertThat(answer).hasToString("done");
    }

    static void alreadyDone(StepResult answer) {
        assertThat(answer).hasToString("already done");
    }

    static void refused(StepResult answer, String why) {
        assertThat(answer.outcome()).isEqualTo(StepResult.Outcome.REFUSED);
        assertThat(answer.why()).contains(why);
    }

    static void fails(String sqlState, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.toString()).isEqualTo(sqlState));
    }

    /** Polls until a query says true. */
    void await(String query, @Nullable Object... parameters) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        try (Connection connection = connect()) {
            while (!Jdbc.<Boolean>one(connection, query, row -> row.getBoolean(1), parameters)) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("still false: " + query + " " + List.of(parameters));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    static int pid(Connection connection) throws SQLException {
        return Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1));
    }

    void awaitLockWait(int pid) throws SQLException {
        await("SELECT EXISTS (SELECT FROM pg_locks WHERE pid = ? AND NOT granted)", pid);
    }

    List<String> gaps() throws SQLException {
        try (Connection connection = connect()) {
            return guard.unguarded(connection).stream()
                    .map(gap -> gap.table() + " " + gap.problem())
                    .toList();
        }
    }

    static String text(Connection connection, String query, @Nullable Object... parameters) throws SQLException {
        return Objects.toString(Jdbc.list(connection, query, row -> Objects.toString(row.getString(1)), parameters)
                .get(0));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
