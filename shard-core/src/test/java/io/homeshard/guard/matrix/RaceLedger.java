package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.postgresql.PGConnection;

/** Statements of a writer on the ledger, and what they make of its rows if they are not undone. Not thread-safe. */
final class RaceLedger {
    private static final String INSERT = "INSERT INTO shop.%s (tenant_id, k, v) VALUES (?, ?, ?)";
    private static final String INSERT_MANY =
            "INSERT INTO shop.%s (tenant_id, k, v) VALUES (?, ?, 1), (?, ?, 2), (?, ?, 3)";
    private static final String UPDATE = "UPDATE shop.%s SET v = ? WHERE tenant_id = ? AND k = ?";
    private static final String UPDATE_MANY = "UPDATE shop.%s SET v = v + 1 WHERE tenant_id = ? AND k BETWEEN ? AND ?";
    private static final String DELETE = "DELETE FROM shop.%s WHERE tenant_id = ? AND k = ?";
    private static final String LOCK = "SELECT v FROM shop.%s WHERE tenant_id = ? AND k = ? FOR UPDATE";
    private static final String CHANGE = "UPDATE shop.%s SET tenant_id = ? WHERE tenant_id = ? AND k = ?";
    private static final String COUNT = "UPDATE shop.%s SET v = v + 1 WHERE tenant_id = ? AND k = 0";
    private static final String COPY = "COPY shop.%s (tenant_id, k, v) FROM STDIN";
    private static final int MANY = 40;

    private final Connection connection;
    private final String table;
    private final Random random;
    private final LongSupplier keys;
    private RaceState state;

    RaceLedger(Connection connection, String table, Random random, LongSupplier keys, RaceState state) {
        this.connection = connection;
        this.table = table;
        this.random = random;
        this.keys = keys;
        this.state = state;
    }

    RaceState state() {
        return state;
    }

    /** What was done since is undone. */
    void back(RaceState earlier) {
        state = earlier;
    }

    /** Any operation on a row of a tenant; another tenant may come in. */
    void operate(String tenant, String other) throws SQLException {
        RaceOperation operation = RaceOperation.values()[random.nextInt(RaceOperation.values().length)];
        List<Long> own = state.keys(tenant);
        if (own.size() > MANY) {
            operation = RaceOperation.DELETE;
        } else if (own.isEmpty() && operation != RaceOperation.COUNT && operation != RaceOperation.INSERT_MANY) {
            operation = RaceOperation.INSERT;
        }
        switch (operation) {
            case INSERT -> insert(tenant);
            case INSERT_MANY -> insertMany(tenant, other);
            case UPDATE_MANY -> updateMany(tenant, own);
            case COUNT -> {
                touched(update(COUNT, tenant), 1);
                state = state.countedOnce(tenant);
            }
            case UPDATE -> change(state.anyKey(tenant, random), random.nextInt(1_000_000));
            case DELETE -> delete(state.anyKey(tenant, random));
            case SELECT_FOR_UPDATE -> selectForUpdate(state.anyKey(tenant, random));
            case CHANGE_TENANT -> changeTenant(state.anyKey(tenant, random), other);
        }
    }

    /** A batch of inserts, of which one may be another tenant's. */
    void batch(String tenant, String other) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT.formatted(table))) {
            for (int i = random.nextInt(5); i >= 0; i--) {
                String whose = i == 2 ? other : tenant;
                long key = keys.getAsLong();
                insert.setString(1, whose);
                insert.setLong(2, key);
                insert.setLong(3, key);
                insert.addBatch();
                state = state.with(key, new RaceRow(whose, key));
            }
            insert.executeBatch();
        }
    }

    /** A COPY, of which one row may be another tenant's. */
    void copy(String tenant, String other) throws SQLException {
        StringBuilder data = new StringBuilder();
        for (int i = random.nextInt(6); i >= 0; i--) {
            String whose = i == 4 ? other : tenant;
            long key = keys.getAsLong();
            data.append(whose).append('\t').append(key).append('\t').append(key).append('\n');
            state = state.with(key, new RaceRow(whose, key));
        }
        try {
            String copy = COPY.formatted(table);
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy, new StringReader(data.toString()));
        } catch (IOException e) {
            throw new SQLException("COPY data not sent", e);
        }
    }

    private void insert(String tenant) throws SQLException {
        long key = keys.getAsLong();
        touched(update(INSERT, tenant, key, key), 1);
        state = state.with(key, new RaceRow(tenant, key));
    }

    private void insertMany(String tenant, String other) throws SQLException {
        long first = keys.getAsLong();
        long second = keys.getAsLong();
        long third = keys.getAsLong();
        touched(update(INSERT_MANY, tenant, first, other, second, tenant, third), 3);
        state = state.with(first, new RaceRow(tenant, 1))
                .with(second, new RaceRow(other, 2))
                .with(third, new RaceRow(tenant, 3));
    }

    private void updateMany(String tenant, List<Long> own) throws SQLException {
        touched(update(UPDATE_MANY, tenant, own.get(0), own.get(own.size() - 1)), own.size());
        for (long key : own) {
            state = state.with(key, new RaceRow(tenant, state.row(key).value() + 1));
        }
    }

    private void selectForUpdate(long key) throws SQLException {
        RaceRow row = state.row(key);
        long read = Jdbc.find(connection, LOCK.formatted(table), found -> found.getLong(1), row.tenant(), key)
                .orElseThrow(RaceLedger::gone);
        if (read != row.value()) {
            throw new IllegalStateException("acknowledged value is gone");
        }
        change(key, read + 1);
    }

    private void change(long key, long value) throws SQLException {
        RaceRow row = state.row(key);
        touched(update(UPDATE, value, row.tenant(), key), 1);
        state = state.with(key, new RaceRow(row.tenant(), value));
    }

    private void delete(long key) throws SQLException {
        touched(update(DELETE, state.row(key).tenant(), key), 1);
        state = state.without(key);
    }

    private void changeTenant(long key, String other) throws SQLException {
        RaceRow row = state.row(key);
        touched(update(CHANGE, other, row.tenant(), key), 1);
        state = state.with(key, new RaceRow(other, row.value()));
    }

    private int update(String sql, Object... parameters) throws SQLException {
        return Jdbc.update(connection, sql.formatted(table), parameters);
    }

    /** A tenant that is away has no rows here, and a statement that meets none is no write. */
    private static void touched(int rows, int expected) throws SQLException {
        if (rows != expected) {
            throw gone();
        }
    }

    private static SQLException gone() {
        return new SQLException("rows are not here", RaceTransaction.GONE);
    }
}
