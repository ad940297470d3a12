package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.NoTenantException;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantNotReadyException;
import io.homeshard.model.TenantSwitchException;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Cases of group A with plain JDBC: which database a call reaches, and that it reaches none when in doubt. */
class RoutingCasesTest {
    private static final ShardedApp app = ShardedApp.start(2);

    @AfterAll
    static void close() {
        app.close();
    }

    @Test
    void a1SwitchInAnOpenTransactionIsRefusedBeforeAnythingIsSent() throws SQLException {
        TenantId one = app.tenant("t_one_1", "s1");
        List<TenantId> others = List.of(app.tenant("t_two_1", "s2"), app.tenant("t_near_1", "s1"));
        DataSource data = app.homeshard().dataSource();
        for (TenantId other : others) {
            app.homeshard().run(one, () -> {
                try (Connection connection = data.getConnection()) {
                    connection.setAutoCommit(false);
                    ShardedApp.insertNote(connection, one, 1);
                    assertThatThrownBy(() -> app.homeshard()
                                    .run(other, () -> ShardedApp.insertNote(data.getConnection(), other, 1)))
                            .isInstanceOf(TenantSwitchException.class)
                            .hasMessageContaining(one.value())
                            .hasMessageContaining(other.value());
                    assertThat(ShardContext.tenant()).contains(one);
                    connection.rollback();
                }
            });
            for (String shard : List.of("s1", "s2")) {
                assertThat(app.notes(shard, one)).isZero();
                assertThat(app.notes(shard, other)).isZero();
            }
        }
    }

    @Test
    void a1AConnectionWorksForItsOwnTenantOnly() throws SQLException {
        TenantId one = app.tenant("t_one_2", "s1");
        TenantId two = app.tenant("t_two_2", "s1");
        app.homeshard().run(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection();
                    PreparedStatement open =
                            connection.prepareStatement("INSERT INTO app.note (tenant_id, id) VALUES ('t_two_2', 1)");
                    ShardScope scope = ShardContext.open(two)) {
                assertThat(scope.tenant()).isEqualTo(two);
                assertThatThrownBy(open::executeUpdate).hasCauseInstanceOf(TenantSwitchException.class);
                assertThatThrownBy(connection::createStatement).hasCauseInstanceOf(TenantSwitchException.class);
                assertThatThrownBy(() -> connection.prepareStatement("SELECT 1"))
                        .hasCauseInstanceOf(TenantSwitchException.class);
                assertThatThrownBy(() -> connection.prepareCall("SELECT 1"))
                        .hasCauseInstanceOf(TenantSwitchException.class);
                assertThatThrownBy(() -> connection.setAutoCommit(false))
                        .hasCauseInstanceOf(TenantSwitchException.class);
            }
        });
        assertThat(app.notes("s1", two)).isZero();
    }

    @Test
    void whatAConnectionHandsOutLeadsBackToIt() throws SQLException {
        TenantId one = app.tenant("t_one_7", "s1");
        app.homeshard().run(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("SELECT 1")) {
                DatabaseMetaData data = connection.getMetaData();
                assertThat(data.getConnection()).isSameAs(connection);
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(prepared.getConnection()).isSameAs(connection);
                assertThat(data.getDatabaseProductName()).isEqualTo("PostgreSQL");
                assertThatThrownBy(() -> data.getSuperTypes(null, null, null))
                        .isInstanceOf(SQLFeatureNotSupportedException.class);
            }
        });
    }

    @Test
    void aTransactionEndsWithAutoCommitOrCloseButNotWithCommit() throws SQLException {
        TenantId one = app.tenant("t_one_3", "s1");
        DataSource data = app.homeshard().dataSource();
        try (ShardScope scope = ShardContext.open(one)) {
            Connection connection = data.getConnection();
            assertThat(scope.inTransaction()).isFalse();
            connection.setAutoCommit(false);
            connection.setAutoCommit(false);
            ShardedApp.insertNote(connection, one, 1);
            connection.commit();
            assertThat(scope.inTransaction()).isTrue();
            connection.setAutoCommit(true);
            assertThat(scope.inTransaction()).isFalse();
            connection.setAutoCommit(false);
            assertThat(scope.inTransaction()).isTrue();
            connection.close();
            connection.close();
            assertThat(scope.inTransaction()).isFalse();
        }
        assertThat(app.notes("s1", one)).isEqualTo(1);
    }

    @Test
    void a10OuterTenantIsBackForTheNextQuery() throws SQLException {
        TenantId one = app.tenant("t_one_4", "s1");
        TenantId two = app.tenant("t_two_4", "s2");
        Homeshard homeshard = app.homeshard();
        homeshard.run(one, () -> {
            assertThatThrownBy(() -> homeshard.run(two, () -> {
                        throw new IllegalStateException("work failed");
                    }))
                    .hasMessage("work failed");
            assertThat(database(homeshard)).isEqualTo(app.database("s1").name());
            assertThat(homeshard.<String, SQLException>call(two, () -> database(homeshard)))
                    .isEqualTo(app.database("s2").name());
            homeshard.run(one, () -> assertThat(ShardContext.tenant()).contains(one));
            assertThat(database(homeshard)).isEqualTo(app.database("s1").name());
        });
    }

    @Test
    void a11MissingUnknownNotReadyAndUnreachableAreDifferentErrors() throws SQLException {
        try (ShardedApp app = ShardedApp.on(
                TestCluster.builder().shards(1).dedicatedServers(true).build(), Homeshard.builder())) {
            TenantId one = app.tenant("t_on_5", "s1");
            Homeshard homeshard = app.homeshard();
            DataSource data = homeshard.dataSource();
            assertThatThrownBy(data::getConnection)
                    .isInstanceOf(SQLNonTransientConnectionException.class)
                    .hasCauseInstanceOf(NoTenantException.class);
            assertThatThrownBy(() -> homeshard.run(TenantId.of("t_on3"), data::getConnection))
                    .isInstanceOf(UnknownTenantException.class);
            assertThatThrownBy(() -> TenantId.of("")).isInstanceOf(IllegalArgumentException.class);

            delete(app, one);
            assertThatThrownBy(() -> homeshard.run(one, data::getConnection))
                    .isInstanceOf(UnknownTenantException.class);

            TenantId unready = TenantId.of("t_new");
            homeshard.parts().admin().beginCreate(unready, ShardId.of("s1"), UUID.randomUUID(), Duration.ofMinutes(5));
            try (ShardScope scope = ShardContext.open(unready)) {
                assertThat(scope.tenant()).isEqualTo(unready);
                assertThatThrownBy(data::getConnection)
                        .isInstanceOf(SQLTransientConnectionException.class)
                        .hasCauseInstanceOf(TenantNotReadyException.class)
                        .hasMessageContaining(PlacementState.PROVISIONING.name().toLowerCase(java.util.Locale.ROOT))
                        .hasMessageContaining("tenants().repair()");
            }
            app.cluster().directoryServer().stop();
            assertThatThrownBy(() -> homeshard.run(TenantId.of("t_other"), data::getConnection))
                    .isInstanceOf(DirectoryUnavailableException.class);
            assertThat(homeshard.parts().pools().stats(ShardId.of("s1")))
                    .as("no connection to any shard was ever asked for")
                    .isEmpty();
        }
    }

    @Test
    void anOfflineShardIsRefusedAtOnce() throws SQLException {
        TenantId one = app.tenant("t_one_6", "s1");
        Homeshard homeshard = app.homeshard();
        homeshard.run(one, () -> homeshard.dataSource().getConnection().close());
        homeshard.parts().admin().setStatus(ShardId.of("s1"), ShardStatus.OFFLINE);
        assertThatThrownBy(() -> homeshard.run(one, homeshard.dataSource()::getConnection))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessageContaining("s1")
                .hasMessageContaining("offline");
        homeshard.shards().setStatus(ShardId.of("s1"), ShardStatus.ACTIVE);
        homeshard.run(one, () -> homeshard.dataSource().getConnection().close());
    }

    private static String database(Homeshard homeshard) throws SQLException {
        try (Connection connection = homeshard.dataSource().getConnection()) {
            return Jdbc.one(connection, "SELECT current_database()", row -> row.getString(1));
        }
    }

    /** What a deletion does in the directory; returns when the instance has heard of it. */
    private static void delete(ShardedApp app, TenantId tenant) throws SQLException {
        try (Connection connection = app.cluster().directory().connect()) {
            connection.setAutoCommit(false);
            Jdbc.update(connection, "DELETE FROM homeshard.placement WHERE tenant_id = ?", tenant.value());
            Jdbc.one(
                    connection,
                    "SELECT homeshard.record_change(?, 's1', 1, 'deleted', NULL, 'test')",
                    row -> row.getLong(1),
                    tenant.value());
            connection.commit();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!(catchThrowable(() -> app.homeshard().router().route(tenant)) instanceof UnknownTenantException)) {
            assertThat(System.nanoTime()).as("the deletion is heard of").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
