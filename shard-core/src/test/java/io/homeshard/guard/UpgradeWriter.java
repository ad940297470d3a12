package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Random;

/** Writes rightfully and wrongly in turn, in autocommit and in transactions, and tells what came of it. */
final class UpgradeWriter {
    private static final List<String> TABLES = List.of("note", "ev", "ev1", "ev11", "ev2", "doc", "letter");

    private final Connection connection;
    private final UpgradeShard shard;
    private final UpgradeTally tally;
    private final TenantId mine;
    private final int number;
    private final Random random;
    private int last;

    UpgradeWriter(UpgradeShard shard, UpgradeTally tally, int number) throws SQLException {
        this.shard = shard;
        this.tally = tally;
        this.number = number;
        this.mine = shard.owned.get(number % shard.owned.size());
        this.random = new Random(number);
        this.connection = shard.shard.connect();
    }

    /** One transaction, or one statement. */
    void step() throws SQLException {
        switch (random.nextInt(4)) {
            case 0 -> rightful();
            case 1 -> transaction();
            case 2 -> wrongful();
            default -> wrongfulInTransaction();
        }
    }

    void close() throws SQLException {
        connection.close();
    }

    /** Within a transaction the one before or a later one: whoever locks them all does it in this order too. */
    private String pick() throws SQLException {
        int from = connection.getAutoCommit() ? 0 : last;
        last = from + random.nextInt(TABLES.size() - from);
        return TABLES.get(last);
    }

    private void rightful() throws SQLException {
        String table = pick();
        try {
            insert(table, mine, number);
            if (change(table, mine, number) == 0) {
                tally.broken("lost its row in " + table);
            }
            delete(table, mine, number);
            tally.rightful();
        } catch (SQLException e) {
            tally.broken(e.toString());
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
    }

    private void transaction() throws SQLException {
        connection.setAutoCommit(false);
        last = 0;
        rightful();
        rightful();
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void wrongfulInTransaction() throws SQLException {
        connection.setAutoCommit(false);
        last = 0;
        rightful();
        Savepoint savepoint = connection.setSavepoint();
        wrongful();
        connection.rollback(savepoint);
        rightful();
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void wrongful() throws SQLException {
        String table = pick();
        boolean frozen = random.nextInt(4) > 0;
        TenantId tenant = frozen ? shard.frozen : shard.foreign;
        try {
            int rows = switch (frozen ? random.nextInt(3) : 0) {
                case 0 -> insert(table, tenant, number);
                case 1 -> change(table, tenant, -1);
                default -> delete(table, tenant, -1);
            };
            if (rows > 0) {
                tally.passed(table);
            }
        } catch (SQLException e) {
            String expected = frozen ? SqlStates.FROZEN : SqlStates.NOT_OWNED;
            if (expected.equals(e.getSQLState())) {
                tally.refused();
            } else {
                tally.broken(e.toString());
            }
        }
    }

    private int insert(String table, TenantId tenant, int id) throws SQLException {
        String sql = "INSERT INTO " + table + " (tenant_id, p, id) VALUES (?, ?, ?)";
        return Jdbc.update(connection, sql, tenant.value(), table.equals("ev2") ? 2 : 1, id);
    }

    private int change(String table, TenantId tenant, int id) throws SQLException {
        return Jdbc.update(
                connection, "UPDATE " + table + " SET v = v + 1 WHERE tenant_id = ? AND id = ?", tenant.value(), id);
    }

    private int delete(String table, TenantId tenant, int id) throws SQLException {
        return Jdbc.update(connection, "DELETE FROM " + table + " WHERE tenant_id = ? AND id = ?", tenant.value(), id);
    }
}
