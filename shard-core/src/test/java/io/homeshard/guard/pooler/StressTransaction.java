package io.homeshard.guard.pooler;

import io.homeshard.guard.pooler.StressState.Row;
import io.homeshard.internal.jdbc.Jdbc;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/** One attempt of a client to change rows of one or several tenants. The key says in which table it lies. */
final class StressTransaction {
    private static final List<String> LEVELS = List.of("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE");
    private static final List<String> TABLES = List.of("pooled.part", "pooled.ledger", "pooled.bulk");
    private static final String INSERT = "INSERT INTO %s (tenant_id, k, v) VALUES (?, ?, ?)";
    private static final String INSERT_TWO = INSERT + ", (?, ?, ?)";
    private static final String UPDATE = "UPDATE %s SET v = ? WHERE tenant_id = ? AND k = ?";
    private static final String GIVE = "UPDATE %s SET tenant_id = ? WHERE tenant_id = ? AND k = ?";
    private static final String DELETE = "DELETE FROM %s WHERE tenant_id = ? AND k = ?";

    private final Client client;
    private final List<String> tenants;
    private final Random random;
    private final LongSupplier keys;
    private final String mostly;
    private StressState state;

    /**
     * An attempt, not made yet.
     *
     * @param client who makes it
     * @param tenants among whom to choose
     * @param random decides everything
     * @param keys gives out keys that no row has had
     * @param state the rows of the client now
     */
    StressTransaction(Client client, List<String> tenants, Random random, LongSupplier keys, StressState state) {
        this.client = client;
        this.tenants = tenants;
        this.random = random;
        this.keys = keys;
        this.state = state;
        this.mostly = tenants.get(random.nextInt(tenants.size()));
    }

    /**
     * Makes the attempt.
     *
     * @return the state that it leaves when acknowledged
     * @throws SQLException when refused; then nothing has changed, but a transaction may still be open
     */
    StressState run() throws SQLException {
        StressState before = state;
        if (random.nextInt(3) == 0) {
            operation();
            return state;
        }
        client.run("BEGIN ISOLATION LEVEL " + LEVELS.get(random.nextInt(LEVELS.size())));
        if (random.nextBoolean()) {
            client.run("SELECT homeshard.enter(?, 1)", mostly);
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            operation();
        }
        if (random.nextInt(3) == 0) {
            savepoint();
        }
        if (random.nextInt(10) == 0) {
            client.run("ROLLBACK");
            return before;
        }
        client.run("COMMIT");
        return state;
    }

    /** What comes after a refusal that was rolled back to a savepoint counts, and what comes before it. */
    private void savepoint() throws SQLException {
        StressState kept = state;
        client.run("SAVEPOINT s");
        boolean refused = false;
        try {
            operation();
        } catch (SQLException e) {
            if (!StressClient.refusal(e)) {
                throw e;
            }
            refused = true;
        }
        if (refused || random.nextBoolean()) {
            client.run("ROLLBACK TO s");
            state = kept;
            operation();
        }
    }

    private void operation() throws SQLException {
        int kind = random.nextInt(5);
        if (kind == 0) {
            insertTwo();
            return;
        }
        if (kind == 1 || state.rows().isEmpty()) {
            long key = keys.getAsLong();
            Row row = new Row(tenant(), key);
            touch(INSERT, key, row.tenant(), key, key);
            state = state.with(key, row);
            return;
        }
        long key = state.anyKey(random);
        Row row = state.rows().get(key);
        if (row == null) {
            throw new IllegalStateException("no such row");
        }
        switch (kind) {
            case 2 -> {
                Row changed = new Row(row.tenant(), random.nextInt(1_000_000));
                touch(UPDATE, key, changed.value(), row.tenant(), key);
                state = state.with(key, changed);
            }
            case 3 -> {
                Row given = new Row(tenant(), row.value());
                touch(GIVE, key, given.tenant(), row.tenant(), key);
                state = state.with(key, given);
            }
            default -> {
                touch(DELETE, key, row.tenant(), key);
                state = state.without(key);
            }
        }
    }

    /** Two rows of one table in one statement, of two tenants at times. */
    private void insertTwo() throws SQLException {
        long one = keys.getAsLong();
        long two = one;
        while ((two - one) % TABLES.size() != 0 || two == one) {
            two = keys.getAsLong();
        }
        Row first = new Row(tenant(), one);
        Row second = new Row(tenant(), two);
        String sql = INSERT_TWO.formatted(TABLES.get((int) (one % TABLES.size())));
        if (Jdbc.update(client.connection(), sql, first.tenant(), one, one, second.tenant(), two, two) != 2) {
            throw new IllegalStateException("two rows expected");
        }
        state = state.with(one, first).with(two, second);
    }

    private void touch(String sql, long key, Object... parameters) throws SQLException {
        String table = TABLES.get((int) (key % TABLES.size()));
        if (Jdbc.update(client.connection(), sql.formatted(table), parameters) != 1) {
            throw new IllegalStateException("an acknowledged row is gone: " + key);
        }
    }

    private String tenant() {
        return random.nextInt(4) == 0 ? tenants.get(random.nextInt(tenants.size())) : mostly;
    }
}
