package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.io.StringReader;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

class WriteGuardTest {
    private static GuardedShard shard;

    @BeforeAll
    static void start() throws SQLException {
        shard = GuardedShard.withNotes();
    }

    @AfterAll
    static void stop() {
        shard.close();
    }

    @Test
    void anOwnedTenantIsWrittenAndRead() throws SQLException {
        TenantId tenant = shard.owned();
        shard.write(tenant, 1);
        assertThat(shard.notes(tenant)).isEqualTo(1);
    }

    @Test
    void aStatementForATenantThatTheShardDoesNotOwnIsRefused() throws SQLException {
        TenantId stranger = tenant();
        fails("HS001", () -> shard.write(stranger, 1));
        assertThat(shard.notes(stranger)).isZero();
    }

    @Test
    void aBatchIsRefusedAsAWholeInsideATransaction() throws SQLException {
        TenantId mine = shard.owned();
        TenantId stranger = tenant();
        try (Connection connection = shard.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement batch =
                    connection.prepareStatement("INSERT INTO note (tenant_id, id) VALUES (?, ?)")) {
                for (TenantId tenant : new TenantId[] {mine, stranger}) {
                    batch.setString(1, tenant.value());
                    batch.setInt(2, 1);
                    batch.addBatch();
                }
                assertThat(catchThrowableOfType(BatchUpdateException.class, batch::executeBatch)
                                .getSQLState())
                        .isEqualTo("HS001");
            }
            connection.rollback();
        }
        assertThat(shard.notes(mine)).isZero();
    }

    @Test
    void copyIsRefusedWhenOneRowIsForeign() throws SQLException {
        TenantId mine = shard.owned();
        String rows = mine + "\t1\n" + mine + "\t2\n" + tenant() + "\t3\n";
        try (Connection connection = shard.connect()) {
            fails(
                    "HS001",
                    () -> connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyIn("COPY note (tenant_id, id) FROM STDIN", new StringReader(rows)));
        }
        assertThat(shard.notes(mine)).isZero();
    }

    @Test
    void aRowCannotBeGivenToOrTakenFromATenantThatIsElsewhere() throws SQLException {
        TenantId mine = shard.owned();
        TenantId gone = shard.owned();
        shard.write(mine, 1);
        shard.write(gone, 2);
        shard.moved(gone);
        try (Connection connection = shard.connect()) {
            String give = "UPDATE note SET tenant_id = ? WHERE tenant_id = ?";
            fails("HS001", () -> Jdbc.update(connection, give, gone.value(), mine.value()));
            fails("HS001", () -> Jdbc.update(connection, give, mine.value(), gone.value()));
            fails("HS001", () -> Jdbc.update(connection, "DELETE FROM note WHERE tenant_id = ?", gone.value()));
        }
        assertThat(shard.notes(mine)).isEqualTo(1);
        assertThat(shard.notes(gone)).isEqualTo(1);
    }

    @Test
    void aFrozenTenantIsReadButNotWritten() throws SQLException {
        TenantId tenant = shard.owned();
        shard.write(tenant, 1);
        shard.frozen(tenant);
        fails("HS002", () -> shard.write(tenant, 2));
        assertThat(shard.notes(tenant)).isEqualTo(1);
    }

    @Test
    void anIncomingTenantAnswersLikeAFrozenOne() throws SQLException {
        TenantId tenant = tenant();
        shard.incoming(tenant, 2);
        fails("HS002", () -> shard.write(tenant, 1));
    }

    @Test
    void truncateIsRefused() {
        fails("HS003", () -> shard.sql("TRUNCATE note"));
    }

    @Test
    void aRowWithoutTenantIsRefused() {
        fails("HS007", () -> shard.sql("INSERT INTO scrap (body) VALUES ('x')"));
        fails("HS007", () -> shard.sql("INSERT INTO scrap (tenant_id, body) VALUES ('', 'x')"));
    }

    @Test
    void statementsThatTouchNoRowPass() throws SQLException {
        try (Connection connection = shard.connect()) {
            int rows = Jdbc.update(connection, "DELETE FROM note WHERE tenant_id = ?", tenant().value());
            assertThat(rows).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aSnapshotFromBeforeTheFreezeOpensNothing(int isolation) throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection writer = shard.connect()) {
            writer.setTransactionIsolation(isolation);
            writer.setAutoCommit(false);
            Jdbc.run(writer, "SELECT count(*) FROM note");
            shard.frozen(tenant);
            String state = isolation == Connection.TRANSACTION_READ_COMMITTED ? "HS002" : "40001";
            fails(state, () -> GuardedShard.write(writer, tenant, 1));
            writer.rollback();
        }
        assertThat(shard.notes(tenant)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aFreezeWaitsForAnOpenWriter(int isolation) throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection writer = shard.connect()) {
            writer.setTransactionIsolation(isolation);
            writer.setAutoCommit(false);
            GuardedShard.write(writer, tenant, 1);
            fails("55P03", () -> shard.frozen(tenant));
            writer.commit();
        }
        shard.frozen(tenant);
        assertThat(shard.notes(tenant)).isEqualTo(1);
    }

    @Test
    void aFreezeNamesThePreparedTransactionThatHoldsTheTenant() throws SQLException {
        TenantId tenant = shard.owned();
        try (Connection writer = shard.connect()) {
            writer.setAutoCommit(false);
            GuardedShard.write(writer, tenant, 1);
            Jdbc.run(writer, "PREPARE TRANSACTION 'forgotten'");
            fails("55P03", () -> shard.frozen(tenant));
            writer.setAutoCommit(true);
            String holders = "SELECT homeshard.prepared_holders(?)";
            assertThat(GuardedShard.text(writer, holders, tenant.value())).isEqualTo("forgotten");
            Jdbc.run(writer, "COMMIT PREPARED 'forgotten'");
            assertThat(Jdbc.list(writer, holders, row -> row.getString(1), tenant.value()))
                    .isEmpty();
        }
        shard.frozen(tenant);
    }

    @Test
    void replicaRoleDoesNotPassTheGuard() throws SQLException {
        try (Connection connection = shard.connect()) {
            Jdbc.run(connection, "SET session_replication_role = replica");
            fails("HS001", () -> GuardedShard.write(connection, tenant(), 1));
        }
    }

    @Test
    void twoTenantsInOneStatementAreBothChecked() throws SQLException {
        TenantId one = shard.owned();
        TenantId two = shard.owned();
        String both = "INSERT INTO note (tenant_id, id) VALUES (?, 1), (?, 1)";
        try (Connection connection = shard.connect()) {
            assertThat(Jdbc.update(connection, both, one.value(), two.value())).isEqualTo(2);
            Jdbc.update(connection, "DELETE FROM note WHERE tenant_id IN (?, ?)", one.value(), two.value());
            shard.frozen(two);
            fails("HS002", () -> Jdbc.update(connection, both, one.value(), two.value()));
            fails("HS002", () -> Jdbc.update(connection, both, two.value(), one.value()));
        }
    }
}
