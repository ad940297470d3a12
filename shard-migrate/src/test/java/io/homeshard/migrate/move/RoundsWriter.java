package io.homeshard.migrate.move;

import io.homeshard.Homeshard;
import io.homeshard.directory.MovePhase;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.move.RoundsLedger.Outcome;
import io.homeshard.migrate.move.RoundsLedger.Write;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.ShardId;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes in every manner, through a router or on a connection of its own to whichever shard, and tells the ledger how
 * each write went. Its entries are nobody else's. Used by one thread.
 */
final class RoundsWriter {
    private static final String LOG = "INSERT INTO app.log VALUES (?, ?)";
    private static final String INSERT = "INSERT INTO app.entries VALUES (?, ?, ?)";
    private static final String UPDATE = "UPDATE app.entries SET val = ? WHERE tenant_id = ? AND id = ?";
    private static final String DELETE = "DELETE FROM app.entries WHERE tenant_id = ? AND id = ?";
    /** The write and its name in one statement, in autocommit; says how many rows were written. */
    private static final String WITH = "WITH w AS (%s RETURNING 1) " + LOG + " RETURNING (SELECT count(*) FROM w)";

    private static final Duration STRADDLE = Duration.ofMillis(150);

    /** What all writers of a run share. */
    record Run(
            MoveLab lab, Homeshard router, RoundsLedger ledger, Supplier<MovePhase> phase, AtomicInteger straddled) {}

    private final Run run;
    private final Random random;
    private final Map<Long, Long> mine = new HashMap<>();
    private final String name;
    private long nextId;
    private int nextOp;

    RoundsWriter(Run run, int number, long seed) {
        this.run = run;
        this.random = new Random(seed);
        this.name = "w" + number + "-";
        this.nextId = number * 1_000_000L;
    }

    /** Some writes over one connection. */
    void round() throws SQLException {
        if (random.nextBoolean()) {
            routed();
            return;
        }
        ShardId shard = run.lab().shard(1 + random.nextInt(2));
        try (Connection connection = run.lab().connect(shard)) {
            for (int i = 0; i < 4; i++) {
                if (!write(connection, shard)) {
                    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                    return;
                }
            }
        }
    }

    private void routed() {
        try {
            run.router().run(run.ledger().tenant(), () -> {
                try (Connection connection = run.router().dataSource().getConnection()) {
                    write(connection, null);
                }
            });
        } catch (SQLException | HomeshardException e) {
            LockSupport.parkNanos(
                    Duration.ofMillis(5).toNanos()); // no connection, or none to give back: all is recorded
        }
    }

    /** A way to write. Says whether the next failure may leave the outcome unknown. */
    private final class Attempt {
        private final Connection connection;
        private final Write write;
        private boolean sent;

        Attempt(Connection connection, Write write) {
            this.connection = connection;
            this.write = write;
        }

        void autocommit(String sql, Object... parameters) throws SQLException {
            sent = true;
            List<Object> all = new ArrayList<>(List.of(parameters));
            all.add(run.ledger().tenant().value());
            all.add(write.op());
            long n = Jdbc.one(connection, WITH.formatted(sql), row -> row.getLong(1), all.toArray());
            require(n);
        }

        void log() throws SQLException {
            Jdbc.update(connection, LOG, run.ledger().tenant().value(), write.op());
        }

        void require(long n) {
            if (n != 1) {
                throw new AssertionError("an acknowledged row is not there: " + n + " rows for " + write);
            }
        }

        void commit(@Nullable ShardId cut) throws SQLException {
            straddle();
            sent = true;
            CompletableFuture<Void> cutting = CompletableFuture.completedFuture(null);
            if (cut != null) {
                int pid = backend;
                cutting = CompletableFuture.runAsync(() -> run.lab().run(cut, "SELECT pg_terminate_backend(?)", pid));
            }
            try {
                connection.commit();
            } finally {
                cutting.join();
            }
        }

        private int backend;
    }

    /** False when it was refused or the connection is of no use any more. */
    private boolean write(Connection connection, @Nullable ShardId shard) throws SQLException {
        int kind = mine.isEmpty() ? 0 : random.nextInt(7);
        Write write = next(kind);
        Attempt attempt = new Attempt(connection, write);
        Outcome outcome;
        try {
            boolean cut = shard != null && kind > 2 && random.nextInt(25) == 0;
            if (cut) {
                attempt.backend = Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1));
            }
            send(attempt, kind, cut ? shard : null);
            outcome = Outcome.ACKNOWLEDGED;
        } catch (SQLException e) {
            outcome = outcome(attempt, e);
        }
        run.ledger().record(write, outcome);
        remember(write, outcome);
        return outcome == Outcome.ACKNOWLEDGED;
    }

    private void send(Attempt attempt, int kind, @Nullable ShardId cut) throws SQLException {
        String tenant = run.ledger().tenant().value();
        Map.Entry<Long, Optional<Long>> entry =
                attempt.write.after().entrySet().iterator().next();
        long id = entry.getKey();
        switch (kind) {
            case 0 -> attempt.autocommit(INSERT, tenant, id, entry.getValue().orElseThrow());
            case 1 -> attempt.autocommit(UPDATE, entry.getValue().orElseThrow(), tenant, id);
            case 2 -> attempt.autocommit(DELETE, tenant, id);
            case 3 -> transaction(attempt, Connection.TRANSACTION_READ_COMMITTED, cut);
            case 4 -> transaction(attempt, Connection.TRANSACTION_SERIALIZABLE, cut);
            case 5 -> transaction(attempt, Connection.TRANSACTION_REPEATABLE_READ, cut);
            default -> batch(attempt, cut);
        }
    }

    /** Reads the counter, under lock, and writes it back together with an update or an insert. */
    private void transaction(Attempt attempt, int isolation, @Nullable ShardId cut) throws SQLException {
        String tenant = run.ledger().tenant().value();
        Connection connection = attempt.connection;
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        boolean lock = isolation == Connection.TRANSACTION_READ_COMMITTED;
        List<Long> n = Jdbc.list(
                connection,
                "SELECT n FROM app.counter WHERE tenant_id = ?" + (lock ? " FOR UPDATE" : ""),
                row -> row.getLong(1),
                tenant);
        pause();
        attempt.log();
        for (Map.Entry<Long, Optional<Long>> entry : attempt.write.after().entrySet()) {
            Jdbc.update(
                    connection, INSERT, tenant, entry.getKey(), entry.getValue().orElseThrow());
        }
        attempt.require(
                Jdbc.update(connection, "UPDATE app.counter SET n = ? WHERE tenant_id = ?", n.get(0) + 1, tenant));
        attempt.commit(cut);
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(before);
    }

    private void batch(Attempt attempt, @Nullable ShardId cut) throws SQLException {
        Connection connection = attempt.connection;
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (Map.Entry<Long, Optional<Long>> entry : attempt.write.after().entrySet()) {
                statement.setString(1, run.ledger().tenant().value());
                statement.setLong(2, entry.getKey());
                statement.setLong(3, entry.getValue().orElseThrow());
                statement.addBatch();
            }
            statement.executeBatch();
        }
        attempt.log();
        pause();
        attempt.commit(cut);
        connection.setAutoCommit(true);
    }

    private Write next(int kind) {
        String op = name + nextOp++;
        long value = random.nextInt(1_000_000);
        Map<Long, Optional<Long>> after = new HashMap<>();
        if (kind == 1 || kind == 2) {
            long known =
                    mine.keySet().stream().skip(mine.size() / 2).findFirst().orElseThrow();
            after.put(known, kind == 1 ? Optional.of(value) : Optional.empty());
            return new Write(op, after, false);
        }
        int rows = kind == 6 ? 4 : 1;
        for (int i = 0; i < rows; i++) {
            after.put(nextId++, Optional.of(value + i));
        }
        return new Write(op, after, kind >= 3 && kind <= 5);
    }

    private void remember(Write write, Outcome outcome) {
        write.after().forEach((id, value) -> {
            if (outcome == Outcome.UNKNOWN) {
                mine.remove(id); // nobody touches it again
            } else if (outcome == Outcome.ACKNOWLEDGED) {
                value.ifPresentOrElse(v -> mine.put(id, v), () -> mine.remove(id));
            }
        });
    }

    /** What was refused by the server, or not yet sent to be committed, has not happened. */
    private static Outcome outcome(Attempt attempt, SQLException e) {
        SQLException cause =
                e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
        String state = String.valueOf(cause.getSQLState());
        return !attempt.sent || state.startsWith("HS") || state.startsWith("40") ? Outcome.REFUSED : Outcome.UNKNOWN;
    }

    private void pause() {
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(4)).toNanos());
    }

    /** Now and then a transaction that has written waits for the mover to come, and lets it wait. */
    private void straddle() {
        if (random.nextInt(6) > 0 || !run.phase().get().finished()) {
            return;
        }
        long start = System.nanoTime();
        while (run.phase().get().finished() && System.nanoTime() - start < STRADDLE.toNanos()) {
            LockSupport.parkNanos(200_000);
        }
        if (!run.phase().get().finished()) {
            run.straddled().incrementAndGet();
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(40)).toNanos());
        }
    }
}
