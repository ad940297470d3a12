package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import org.postgresql.PGConnection;

/** One attempt of a writer to change the ledger, in one of four ways. Not thread-safe. */
final class RaceTransaction {
    private static final String INSERT = "INSERT INTO shop.ledger (tenant_id, k, v) VALUES (?, ?, ?)";
    private static final String UPDATE = "UPDATE shop.ledger SET v = ? WHERE tenant_id = ? AND k = ?";
    private static final String DELETE = "DELETE FROM shop.ledger WHERE tenant_id = ? AND k = ?";
    private static final String LOCK = "SELECT v FROM shop.ledger WHERE tenant_id = ? AND k = ? FOR UPDATE";
    private static final String COUNT = "UPDATE shop.ledger SET v = v + 1 WHERE tenant_id = ? AND k = 0";
    private static final String COPY = "COPY shop.ledger (tenant_id, k, v) FROM STDIN";

    private final Connection connection;
    private final String tenant;
    private final Random random;
    private final KeySource keys;
    private RaceState state;

    /** Gives out keys that no row has had. */
    @FunctionalInterface
    interface KeySource {
        long next();
    }

    RaceTransaction(Connection connection, String tenant, Random random, KeySource keys, RaceState state) {
        this.connection = connection;
        this.tenant = tenant;
        this.random = random;
        this.keys = keys;
        this.state = state;
    }

    /**
     * Makes the attempt.
     *
     * @return the state that it leaves when acknowledged
     * @throws SQLException when refused; then nothing has changed
     */
    RaceState run() throws SQLException {
        RaceState before = state;
        int mode = random.nextInt(4);
        boolean autocommit = mode == 0 || mode == 3;
        connection.setAutoCommit(autocommit);
        switch (mode) {
            case 0 -> operation();
            case 1 -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    operation();
                }
            }
            case 2 -> batch();
            default -> copy();
        }
        if (!autocommit) {
            if (random.nextInt(10) == 0) {
                connection.rollback();
                return before;
            }
            connection.commit();
        }
        return state;
    }

    private void operation() throws SQLException {
        RaceOperation operation = RaceOperation.values()[random.nextInt(RaceOperation.values().length)];
        if (operation == RaceOperation.COUNT) {
            touched(Jdbc.update(connection, COUNT, tenant), operation);
            state = state.countedOnce();
        } else if (operation == RaceOperation.INSERT || state.rows().isEmpty()) {
            long key = keys.next();
            touched(Jdbc.update(connection, INSERT, tenant, key, key), operation);
            state = state.with(key, key);
        } else {
            change(operation, state.anyKey(random));
        }
    }

    private void change(RaceOperation operation, long key) throws SQLException {
        if (operation == RaceOperation.DELETE) {
            touched(Jdbc.update(connection, DELETE, tenant, key), operation);
            state = state.without(key);
            return;
        }
        long value = random.nextInt(1_000_000);
        if (operation == RaceOperation.SELECT_FOR_UPDATE) {
            long read = Jdbc.one(connection, LOCK, row -> row.getLong(1), tenant, key);
            if (!Long.valueOf(read).equals(state.rows().get(key))) {
                throw new IllegalStateException("acknowledged value is gone");
            }
            value = read + 1;
        }
        touched(Jdbc.update(connection, UPDATE, value, tenant, key), operation);
        state = state.with(key, value);
    }

    private void batch() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = random.nextInt(5); i >= 0; i--) {
                long key = keys.next();
                insert.setString(1, tenant);
                insert.setLong(2, key);
                insert.setLong(3, key);
                insert.addBatch();
                state = state.with(key, key);
            }
            insert.executeBatch();
        }
    }

    private void copy() throws SQLException {
        StringBuilder data = new StringBuilder();
        for (int i = random.nextInt(8); i >= 0; i--) {
            long key = keys.next();
            data.append(tenant)
                    .append('\t')
                    .append(key)
                    .append('\t')
                    .append(key)
                    .append('\n');
            state = state.with(key, key);
        }
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, new StringReader(data.toString()));
        } catch (IOException e) {
            throw new SQLException("COPY data not sent", e);
        }
    }

    private static void touched(int rows, RaceOperation operation) {
        if (rows != 1) {
            throw new IllegalStateException(operation + " touched " + rows + " rows of an acknowledged key");
        }
    }
}
