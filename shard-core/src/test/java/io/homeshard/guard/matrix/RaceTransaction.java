package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One attempt of a writer to change the ledger, in one of several ways at any isolation level. Not thread-safe.
 *
 * @param connection the writer's, the same in all its attempts
 * @param tenants those that it may write
 * @param random decides everything
 * @param ledger does the writing
 */
record RaceTransaction(Connection connection, List<RaceTenant> tenants, Random random, RaceLedger ledger) {
    /** What stands for the SQLState where rows of a tenant that is away were looked for. */
    static final String GONE = "RACE1";

    /** Outcomes that a writer has to expect; nothing has changed then. */
    static final Set<String> REFUSALS = Set.of(
            SqlStates.NOT_OWNED,
            SqlStates.FROZEN,
            SqlStates.OTHER_GENERATION,
            SqlStates.SERIALIZATION_FAILURE,
            SqlStates.DEADLOCK,
            GONE);

    private static final String ENTER = "SELECT homeshard.enter(?, ?)";

    /**
     * Makes the attempt.
     *
     * @return the state that it leaves when acknowledged
     * @throws SQLException when refused; then nothing has changed
     */
    RaceState run() throws SQLException {
        RaceState before = ledger.state();
        int way = random.nextInt(6);
        boolean autocommit = way < 2;
        setLevel();
        connection.setAutoCommit(autocommit);
        RaceTenant first = any();
        RaceTenant second = any();
        switch (way) {
            case 0 -> ledger.operate(first.name(), second.name());
            case 1 -> ledger.copy(first.name(), second.name());
            case 2 -> ledger.batch(first.name(), second.name());
            case 3 -> entered(first);
            default -> several(first, second);
        }
        if (!autocommit) {
            if (random.nextInt(10) == 0) {
                connection.rollback();
                return before;
            }
            connection.commit();
        }
        return ledger.state();
    }

    private void setLevel() throws SQLException {
        int level = switch (Level.values()[random.nextInt(Level.values().length)]) {
            case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
            case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
            case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
        };
        connection.setAutoCommit(true);
        connection.setTransactionIsolation(level);
    }

    private RaceTenant any() {
        return tenants.get(random.nextInt(tenants.size()));
    }

    private void entered(RaceTenant tenant) throws SQLException {
        Jdbc.run(connection, ENTER, tenant.name(), tenant.generation().get());
        for (int i = random.nextInt(3); i >= 0; i--) {
            ledger.operate(tenant.name(), tenant.name());
        }
    }

    /** Operations on two tenants in any order, some of them in a savepoint that goes or stays. */
    private void several(RaceTenant first, RaceTenant second) throws SQLException {
        if (random.nextInt(3) == 0) {
            Jdbc.list(connection, "SELECT 1", row -> row.getInt(1));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            RaceTenant one = random.nextBoolean() ? first : second;
            RaceTenant other = random.nextBoolean() ? first : second;
            if (random.nextInt(3) == 0) {
                inSavepoint(one, other);
            } else {
                ledger.operate(one.name(), other.name());
            }
        }
    }

    private void inSavepoint(RaceTenant one, RaceTenant other) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        RaceState before = ledger.state();
        try {
            ledger.operate(one.name(), other.name());
            if (random.nextBoolean()) {
                connection.releaseSavepoint(savepoint);
                return;
            }
        } catch (SQLException e) {
            if (!REFUSALS.contains(String.valueOf(e.getSQLState())) || random.nextBoolean()) {
                throw e;
            }
        }
        connection.rollback(savepoint);
        ledger.back(before);
    }
}
