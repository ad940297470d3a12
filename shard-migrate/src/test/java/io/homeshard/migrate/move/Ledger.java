package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.io.IOException;
import java.io.StringReader;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;

/**
 * Writes of one tenant in every manner, each remembered when it was acknowledged: entries of a ledger, and a counter
 * that every explicit transaction increments. Thread-safe.
 */
final class Ledger {
    static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.entries (tenant_id text NOT NULL, id text NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.counter (tenant_id text PRIMARY KEY, n bigint NOT NULL);
            """;
    private static final String INSERT = "INSERT INTO app.entries VALUES (?, ?)";
    private static final int[] LEVELS = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
    };

    private static final MovePhase[] LATER = {
        MovePhase.COPYING, MovePhase.VERIFIED, MovePhase.FLIPPED, MovePhase.ACTIVATED
    };
    private static final Duration LONGER_THAN_A_FREEZE = Duration.ofMillis(600);

    private final MoveLab lab;
    private final TenantId tenant;
    final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    final AtomicInteger increments = new AtomicInteger();
    final AtomicInteger rounds = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger straddled = new AtomicInteger();
    private final AtomicBoolean straddling = new AtomicBoolean();
    private volatile MovePhase phase = MovePhase.RETAINED;

    Ledger(MoveLab lab, TenantId tenant) {
        this.lab = lab;
        this.tenant = tenant;
    }

    /** One write of a random kind at a random level, mostly where the tenant lives, sometimes where it does not. */
    void round(Random random) throws SQLException {
        ShardId shard = random.nextInt(5) == 0
                ? lab.shard(1 + random.nextInt(2))
                : lab.placement(tenant).shard();
        try (Connection connection = lab.connect(shard)) {
            connection.setTransactionIsolation(LEVELS[random.nextInt(LEVELS.length)]);
            for (int i = 0; i < 5; i++) {
                write(connection, random);
            }
        } catch (SQLException e) {
            if (!expected(e)) {
                throw e;
            }
            refused.incrementAndGet();
        }
    }

    private void write(Connection connection, Random random) throws SQLException {
        rounds.incrementAndGet();
        switch (random.nextInt(4)) {
            case 0 -> autocommit(connection);
            case 1 -> transaction(connection, random);
            case 2 -> batch(connection, random);
            default -> copy(connection, random);
        }
    }

    private void autocommit(Connection connection) throws SQLException {
        String id = UUID.randomUUID().toString();
        Jdbc.update(connection, INSERT, tenant.value(), id);
        acknowledged.add(id);
    }

    private void transaction(Connection connection, Random random) throws SQLException {
        List<String> ids = ids(3);
        connection.setAutoCommit(false);
        for (String id : ids) {
            Jdbc.update(connection, INSERT, tenant.value(), id);
            pause(random);
        }
        Jdbc.update(connection, "DELETE FROM app.entries WHERE tenant_id = ? AND id = ?", tenant.value(), ids.get(0));
        int counted = Jdbc.update(connection, "UPDATE app.counter SET n = n + 1 WHERE tenant_id = ?", tenant.value());
        straddle(random);
        connection.commit();
        connection.setAutoCommit(true);
        acknowledged.addAll(ids.subList(1, 3));
        increments.addAndGet(counted);
    }

    private void batch(Connection connection, Random random) throws SQLException {
        List<String> ids = ids(4);
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (String id : ids) {
                statement.setString(1, tenant.value());
                statement.setString(2, id);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        pause(random);
        connection.commit();
        connection.setAutoCommit(true);
        acknowledged.addAll(ids);
    }

    private void copy(Connection connection, Random random) throws SQLException {
        List<String> ids = ids(5);
        StringBuilder rows = new StringBuilder();
        ids.forEach(id -> rows.append(tenant.value()).append('\t').append(id).append('\n'));
        connection.setAutoCommit(false);
        try {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY app.entries FROM STDIN", new StringReader(rows.toString()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        pause(random);
        connection.commit();
        connection.setAutoCommit(true);
        acknowledged.addAll(ids);
    }

    private static List<String> ids(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(UUID.randomUUID().toString());
        }
        return ids;
    }

    /** Keeps the transaction open, so that it straddles whatever the mover is doing. */
    private static void pause(Random random) {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(8)).toNanos());
    }

    /** Told by the mover. */
    void phase(MovePhase entered) {
        phase = entered;
    }

    /**
     * Keeps a transaction that has written open over the freeze, one at a time: until the move has come to some later
     * phase, which a correct mover never does while it is open, or for a moment longer than a freeze takes.
     */
    private void straddle(Random random) {
        MovePhase until = LATER[random.nextInt(LATER.length)];
        if (!phase.finished() || !straddling.compareAndSet(false, true)) {
            return;
        }
        try {
            long start = System.nanoTime();
            while (phase.finished()
                    && System.nanoTime() - start < Duration.ofSeconds(2).toNanos()) {
                LockSupport.parkNanos(100_000);
            }
            long freezing = System.nanoTime();
            while (phase.compareTo(until) < 0 && System.nanoTime() - freezing < LONGER_THAN_A_FREEZE.toNanos()) {
                LockSupport.parkNanos(100_000);
            }
            straddled.incrementAndGet();
        } finally {
            straddling.set(false);
        }
    }

    /** Failures that say for sure that nothing was written. */
    private static boolean expected(SQLException e) {
        SQLException cause =
                e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
        return List.of(SqlStates.NOT_OWNED, SqlStates.FROZEN, SqlStates.SERIALIZATION_FAILURE, SqlStates.DEADLOCK)
                .contains(cause.getSQLState());
    }
}
