package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** A session of the application that does one operation after the other. Not thread-safe. */
final class Client implements AutoCloseable {
    private static final String ORDER =
            "INSERT INTO shop.orders (tenant_id, id, customer, total) VALUES (?, ?, 'c', 12.5)";
    private static final String LINES =
            "INSERT INTO shop.lines VALUES (?, ?, 1, 'a', 1), (?, ?, 2, 'b', 2), (?, ?, 3, 'c', 3)";
    private static final String COUNT =
            "UPDATE shop.counters SET value = value + 1 WHERE tenant_id = ? AND name = 'orders'";
    private static final String DELETE = "DELETE FROM shop.orders WHERE tenant_id = ? AND id = ?";
    private static final String LINES_100 =
            "INSERT INTO shop.lines SELECT ?, ?, g, 'x', g FROM generate_series(1, 100) g";
    private static final String COPY = "COPY shop.bulk FROM STDIN";
    private static final int COPIED = 20_000;

    private final Connection connection;
    private final Keys keys;
    private final boolean entered;
    private final int backend;
    private final PreparedStatement entry;
    private final PreparedStatement order;
    private final PreparedStatement lines;
    private final PreparedStatement count;
    private final PreparedStatement delete;
    private final PreparedStatement lines100;
    private byte[] copied = new byte[0];

    Client(Connection connection, Entry entry, Keys keys) throws SQLException {
        this.connection = connection;
        this.keys = keys;
        this.entered = entry != Entry.NONE;
        this.backend = Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getInt(1));
        this.entry = connection.prepareStatement(entered ? entry.sql() : "SELECT 1");
        this.order = connection.prepareStatement(ORDER);
        this.lines = connection.prepareStatement(LINES);
        this.count = connection.prepareStatement(COUNT);
        this.delete = connection.prepareStatement(DELETE);
        this.lines100 = connection.prepareStatement(LINES_100);
    }

    /** From now on writes for so many tenants, and has written for each of them. */
    void among(int tenants) throws SQLException {
        keys.among(tenants);
        Jdbc.run(connection, "SET synchronous_commit = off"); // nothing of this is timed
        for (int i = 0; i < tenants; i++) {
            run(Operation.UPDATE, new Keys.Key(Keys.tenant(i), 0));
        }
        Jdbc.run(connection, "RESET synchronous_commit");
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < COPIED; i++) {
            rows.append(Keys.tenant(i % tenants)).append('\t').append(i).append("\tsome words of a note\n");
        }
        copied = rows.toString().getBytes(StandardCharsets.UTF_8);
    }

    Keys keys() {
        return keys;
    }

    /** The id of its backend. */
    int backend() {
        return backend;
    }

    /** Sets what the operation needs to be set before; not part of what is timed. */
    void prepare(Operation operation) throws SQLException {
        int level = operation == Operation.ORDER_REPEATABLE_READ
                ? Connection.TRANSACTION_REPEATABLE_READ
                : Connection.TRANSACTION_READ_COMMITTED;
        if (connection.getTransactionIsolation() != level) {
            connection.setTransactionIsolation(level);
        }
    }

    /** Does one. */
    void run(Operation operation) throws SQLException {
        run(operation, operation == Operation.DELETE ? keys.written() : keys.next());
    }

    private void run(Operation operation, Keys.Key key) throws SQLException {
        boolean transaction = entered || operation.transaction();
        if (transaction) {
            connection.setAutoCommit(false);
        }
        if (entered) {
            entry.setString(1, key.tenant());
            entry.executeQuery().close();
        }
        write(operation, key);
        if (transaction) {
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void write(Operation operation, Keys.Key key) throws SQLException {
        switch (operation) {
            case INSERT -> {
                execute(order, 1, key);
                keys.written(key);
            }
            case UPDATE -> count(key);
            case DELETE -> execute(delete, 1, key);
            case ORDER, ORDER_REPEATABLE_READ -> {
                execute(order, 1, key);
                execute(lines, 3, key);
                count(key);
            }
            case INSERT_100 -> execute(lines100, 1, key);
            case COPY -> copy();
        }
    }

    private static void execute(PreparedStatement statement, int times, Keys.Key key) throws SQLException {
        for (int i = 0; i < times; i++) {
            statement.setString(2 * i + 1, key.tenant());
            statement.setLong(2 * i + 2, key.id());
        }
        statement.executeUpdate();
    }

    private void count(Keys.Key key) throws SQLException {
        count.setString(1, key.tenant());
        count.executeUpdate();
    }

    private void copy() throws SQLException {
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, new ByteArrayInputStream(copied));
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    /** Ends a transaction that failed. */
    void giveUp() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Leaves rows to be deleted, quickly. */
    void seed(int rows) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            Keys.Key key = keys.next();
            keys.written(key);
            text.append(key.tenant()).append('\t').append(key.id()).append("\tc\t12.5\n");
        }
        try {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY shop.orders (tenant_id, id, customer, total) FROM STDIN",
                            new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
