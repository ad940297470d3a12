package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.tenant;
import static io.homeshard.guard.GuardedShard.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnterVisitTest {
    private static GuardedShard shard;

    @BeforeAll
    static void start() throws SQLException {
        shard = GuardedShard.withNotes();
    }

    @AfterAll
    static void stop() {
        shard.close();
    }

    private static long call(Connection connection, String function, @Nullable String tenant, long generation)
            throws SQLException {
        return Jdbc.one(
                connection, "SELECT homeshard." + function + "(?, ?)", row -> row.getLong(1), tenant, generation);
    }

    private static Connection transaction() throws SQLException {
        Connection connection = shard.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(strings = {"enter", "visit"})
    void theTenantIsDeclaredUntilTheTransactionEnds(String function) throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection connection = transaction()) {
            assertThat(call(connection, function, tenant.value(), 1)).isEqualTo(1);
            assertThat(text(connection, "SELECT current_setting('app.tenant_id')"))
                    .isEqualTo(tenant.value());
            connection.commit();
            assertThat(text(connection, "SELECT current_setting('app.tenant_id', true)"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"enter", "visit"})
    void refusalsSayWhatIsWrong(String function) throws SQLException {
        TenantId owned = shard.owned();
        TenantId moved = shard.owned();
        shard.moved(moved);
        TenantId incoming = tenant();
        shard.incoming(incoming, 2);
        try (Connection connection = shard.connect()) {
            fails("HS008", () -> call(connection, function, owned.value(), 2));
            fails("HS001", () -> call(connection, function, moved.value(), 1));
            fails("HS001", () -> call(connection, function, tenant().value(), 1));
            fails("HS002", () -> call(connection, function, incoming.value(), 2));
            fails("HS007", () -> call(connection, function, null, 1));
        }
    }

    @Test
    void aFrozenTenantIsVisitedAndNotEntered() throws SQLException {
        TenantId tenant = shard.owned();
        shard.frozen(tenant);
        try (Connection connection = shard.connect()) {
            assertThat(call(connection, "visit", tenant.value(), 1)).isEqualTo(1);
            fails("HS002", () -> call(connection, "enter", tenant.value(), 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
    void visitTakesNoLockAndNoTransactionIdInAReadOnlyTransaction(int isolation) throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection reader = shard.connect()) {
            reader.setTransactionIsolation(isolation);
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            call(reader, "visit", tenant.value(), 1);
            assertThat(text(reader, "SELECT pg_current_xact_id_if_assigned()")).isEqualTo("null");
            shard.frozen(tenant);
            reader.rollback();
        }
    }

    @Test
    void enterHoldsTheTenantOwned() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection writer = transaction()) {
            call(writer, "enter", tenant.value(), 1);
            fails("55P03", () -> shard.frozen(tenant));
            writer.rollback();
        }
        shard.frozen(tenant);
    }
}
