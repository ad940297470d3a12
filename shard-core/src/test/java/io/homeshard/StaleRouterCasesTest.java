package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.cache.CacheConfig;
import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.directory.MoveTicket;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.GuardViolationException;
import io.homeshard.model.MisroutedWriteException;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import io.homeshard.model.TenantId;
import io.homeshard.testing.FakeClocks;
import io.homeshard.testing.ShardedApp;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Cases of group E: a router that does not know of a move. */
class StaleRouterCasesTest {
    private static final String INSERT = "INSERT INTO app.note (tenant_id, id) VALUES (?, ?)";

    private static final ShardedApp app = ShardedApp.start(2);

    @AfterAll
    static void close() {
        app.close();
    }

    @Test
    void e1EveryWriteOfAStaleInstanceIsRefusedByTheOldShard() throws SQLException {
        TenantId one = app.tenant("t_one_1", "s1");
        Homeshard stale = staleInstance(app);
        DataSource data = stale.dataSource();
        app.homeshard().run(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection()) {
                ShardedApp.insertNote(connection, one, 0);
            }
        });
        try (ShardScope scope = ShardContext.open(one);
                Connection prepared = data.getConnection();
                Connection transaction = data.getConnection();
                PreparedStatement open = prepared.prepareStatement(INSERT)) {
            assertThat(scope.tenant()).isEqualTo(one);
            transaction.setAutoCommit(false);
            Jdbc.one(transaction, "SELECT count(*) FROM app.note", row -> row.getLong(1));

            app.move(one, "s2");

            assertNotOwned(() -> {
                open.setString(1, one.value());
                open.setInt(2, 1);
                open.executeUpdate();
            });
            assertNotOwned(() -> ShardedApp.insertNote(transaction, one, 2));
            transaction.rollback();
            assertNotOwned(() -> batch(prepared, one));
            assertNotOwned(() -> Jdbc.update(prepared, "UPDATE app.note SET body = 'y'"));
            assertNotOwned(() -> Jdbc.update(prepared, "DELETE FROM app.note"));
            assertNotOwned(() -> copy(prepared, one));
            transaction.setAutoCommit(true);
            assertThatThrownBy(data::getConnection)
                    .as("the scope keeps no route that its shard has refused")
                    .hasCauseInstanceOf(StaleRouteException.class);
        }
        assertThat(app.notes("s1", one)).as("old rows only").isEqualTo(1);

        stale.run(one, () -> {
            try (Connection connection = data.getConnection()) {
                ShardedApp.insertNote(connection, one, 3);
            }
        });
        assertThat(app.notes("s2", one)).isEqualTo(2);
    }

    @Test
    void e1TheCallerIsToldToRunTheTransactionAgainAndThatWorks() throws SQLException {
        TenantId one = app.tenant("t_one_2", "s1");
        Homeshard stale = staleInstance(app);
        stale.run(one, () -> stale.dataSource().getConnection().close());
        app.move(one, "s2");
        assertThatThrownBy(() -> write(stale, one, 1))
                .isInstanceOf(StaleRouteException.class)
                .hasMessageContaining("s1")
                .hasMessageContaining("generation 1");
        write(stale, one, 1);
        assertThat(app.notes("s1", one)).isZero();
        assertThat(app.notes("s2", one)).isEqualTo(1);
    }

    @Test
    void aScopeNoticesAMoveThatItsInstanceHasHeardOf() throws SQLException {
        TenantId one = app.tenant("t_one_3", "s1");
        Homeshard stale = staleInstance(app);
        DataSource data = stale.dataSource();
        try (ShardScope outer = ShardContext.open(one);
                Connection transaction = data.getConnection()) {
            transaction.setAutoCommit(false);
            app.move(one, "s2");
            // another request of this instance meets the refusal
            onAnotherThread(
                    () -> assertThatThrownBy(() -> write(stale, one, 1)).isInstanceOf(StaleRouteException.class));
            onAnotherThread(() -> write(stale, one, 1));
            assertThat(outer.inTransaction()).isTrue();
            data.getConnection().close();
            transaction.setAutoCommit(true);
            assertThatThrownBy(data::getConnection)
                    .as("outside the transaction")
                    .hasCauseInstanceOf(StaleRouteException.class)
                    .hasMessageContaining("known to have moved");
        }
    }

    @Test
    void aScopeThatIsTooOldIsRefused() throws SQLException {
        FakeClocks clocks = new FakeClocks();
        TenantId one = app.tenant("t_one_4", "s1");
        Homeshard homeshard =
                app.another(Homeshard.builder().clocks(clocks).listen(false).maxScopeAge(Duration.ofMinutes(15)));
        try (ShardScope scope = ShardContext.open(one)) {
            homeshard.dataSource().getConnection().close();
            clocks.tick(Duration.ofMinutes(15));
            homeshard.dataSource().getConnection().close();
            clocks.tick(Duration.ofMillis(1));
            assertThat(scope.inTransaction()).isFalse();
            assertThatThrownBy(homeshard.dataSource()::getConnection)
                    .hasCauseInstanceOf(StaleRouteException.class)
                    .hasMessageContaining("too old");
        }
    }

    @Test
    void aFrozenTenantReadsAndItsWritesAreToldToWait() throws SQLException {
        TenantId one = app.tenant("t_one_5", "s1");
        write(app.homeshard(), one, 1);
        MoveTicket ticket = app.beginMove(one, "s2");
        assertThatThrownBy(() -> write(app.homeshard(), one, 2))
                .isInstanceOfSatisfying(
                        TenantFrozenException.class,
                        frozen -> assertThat(frozen.retryAfter()).isPositive());
        long read = app.homeshard().call(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection()) {
                return Jdbc.one(
                        connection,
                        "SELECT count(*) FROM app.note WHERE tenant_id = ?",
                        row -> row.getLong(1),
                        one.value());
            }
        });
        assertThat(read).isEqualTo(1);
        app.finishMove(ticket);
    }

    @Test
    void aDisagreementOfDirectoryAndShardIsAnAlarm() throws SQLException {
        TenantId one = app.tenant("t_one_6", "s1");
        try (Connection connection = app.database("s1").connect()) {
            Jdbc.update(connection, "DELETE FROM homeshard.ownership WHERE tenant_id = 't_one_6'");
        }
        assertThatThrownBy(() -> write(app.homeshard(), one, 1))
                .isInstanceOf(MisroutedWriteException.class)
                .hasMessageContaining("s1")
                .hasMessageContaining("reconcile");
    }

    @Test
    void truncateAndRowsWithoutTenantAreFaultsOfTheCode() throws SQLException {
        TenantId one = app.tenant("t_one_7", "s1");
        assertThatThrownBy(() -> sql(app.homeshard(), one, "TRUNCATE app.note"))
                .isInstanceOf(GuardViolationException.class);
        assertThatThrownBy(() -> sql(app.homeshard(), one, "SELECT 1/0"))
                .as("none of our concern")
                .isInstanceOf(SQLException.class);
    }

    private static Homeshard staleInstance(ShardedApp app) {
        return app.another(Homeshard.builder()
                .listen(false)
                .cache(CacheConfig.defaults().withRevalidateAfter(Duration.ofMinutes(10))));
    }

    private static void write(Homeshard homeshard, TenantId tenant, int id) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                ShardedApp.insertNote(connection, tenant, id);
            }
        });
    }

    private static void sql(Homeshard homeshard, TenantId tenant, String sql) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                Jdbc.run(connection, sql);
            }
        });
    }

    private static void batch(Connection connection, TenantId tenant) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (int id = 10; id < 13; id++) {
                statement.setString(1, tenant.value());
                statement.setInt(2, id);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static void copy(Connection connection, TenantId tenant) throws SQLException, IOException {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY app.note (tenant_id, id) FROM STDIN", new StringReader(tenant.value() + "\t20\n"));
    }

    private static void assertNotOwned(ThrowingCallable write) {
        assertThatThrownBy(write)
                .isInstanceOf(SQLException.class)
                .matches(refusal -> SqlStates.find(refusal, SqlStates.NOT_OWNED) != null, "is refused as not owned");
    }

    private static void onAnotherThread(ThrowingCallable work) {
        Throwable[] failure = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                work.call();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(failure[0]).isNull();
    }
}
