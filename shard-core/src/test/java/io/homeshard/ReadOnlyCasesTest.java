package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.pool.PoolConfig;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A write is refused as read-only (25006): by an operator's wish, by the application's own, or after a fail-over. */
class ReadOnlyCasesTest {
    private static final ShardId S1 = ShardId.of("s1");

    private final ShardedApp app = ShardedApp.start(1);
    /** With a single physical connection, so that its backend tells whether it was kept. */
    private final Homeshard homeshard =
            app.another(Homeshard.builder().pool(PoolConfig.defaults().withMaximumSize(1)));

    private final TenantId one = app.tenant("t_one", "s1");

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void aReadonlyShardReadsDoesNotWriteAndKeepsItsConnections() throws SQLException {
        homeshard.shards().setStatus(S1, ShardStatus.READONLY);
        int backend = backend();
        for (boolean autoCommit : new boolean[] {true, false}) {
            inScope(connection -> {
                connection.setAutoCommit(autoCommit);
                Jdbc.list(connection, "SELECT id FROM app.note", row -> row.getInt(1));
                assertRefused(() -> ShardedApp.insertNote(connection, one, 1));
            });
            assertThatThrownBy(() -> homeshard.run(one, () -> write(autoCommit)))
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageContaining("shard s1")
                    .hasMessageContaining("readonly");
            assertThat(backend()).isEqualTo(backend);
        }
        homeshard.shards().setStatus(S1, ShardStatus.ACTIVE);
        homeshard.run(one, () -> write(true));
        assertThat(backend()).isEqualTo(backend);
    }

    @Test
    void aReadOnlyTransactionOfTheApplicationKeepsItsConnection() throws SQLException {
        int backend = backend();
        inScope(connection -> {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertRefused(() -> ShardedApp.insertNote(connection, one, 1));
        });
        assertThat(backend()).isEqualTo(backend);
        inScope(connection -> {
            connection.setAutoCommit(false);
            Jdbc.run(connection, "SET TRANSACTION READ ONLY");
            assertRefused(() -> ShardedApp.insertNote(connection, one, 1));
        });
        assertThat(backend()).isEqualTo(backend);
        homeshard.run(one, () -> write(true));
    }

    @Test
    void b9AServerThatTakesNoWritesAnyMoreLosesItsConnections() throws SQLException {
        for (boolean autoCommit : new boolean[] {true, false}) {
            int backend = backend();
            inScope(connection -> {
                Jdbc.run(connection, "SET default_transaction_read_only = on");
                connection.setAutoCommit(autoCommit);
                assertRefused(() -> ShardedApp.insertNote(connection, one, 1));
            });
            assertThat(backend()).isNotEqualTo(backend);
        }
        homeshard.run(one, () -> write(true));
    }

    @Test
    void aSessionOfAReadonlyShardThatCannotBeSetFreeIsDroppedAndDoesNotBlockThePool() throws SQLException {
        homeshard.shards().setStatus(S1, ShardStatus.READONLY);
        int backend = backend();
        assertThatThrownBy(() -> inScope(connection -> {
                    Jdbc.run(connection, "BEGIN");
                    assertRefused(() -> ShardedApp.insertNote(connection, one, 1));
                }))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        aborted -> assertThat(aborted.getSQLState()).isEqualTo("25P02"));
        assertThat(homeshard.parts().pools().stats(S1).orElseThrow().active()).isZero();
        assertThat(backend()).isNotEqualTo(backend);
    }

    private interface Work {
        void with(Connection connection) throws SQLException;
    }

    private void inScope(Work work) throws SQLException {
        try (ShardScope scope = ShardContext.open(one);
                Connection connection = homeshard.dataSource().getConnection()) {
            assertThat(scope.tenant()).isEqualTo(one);
            work.with(connection);
        }
    }

    private void write(boolean autoCommit) throws SQLException {
        try (Connection connection = homeshard.dataSource().getConnection()) {
            connection.setAutoCommit(autoCommit);
            ShardedApp.insertNote(connection, one, 1);
        }
    }

    private int backend() throws SQLException {
        int[] backend = new int[1];
        inScope(connection -> backend[0] = connection.unwrap(PGConnection.class).getBackendPID());
        return backend[0];
    }

    private static void assertRefused(ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refusal -> assertThat(refusal.getSQLState()).isEqualTo(SqlStates.READ_ONLY));
    }
}
