package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.HomeshardClosedException;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardedApp;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The way of one call, from the front door to the rows and back. */
class HomeshardTest {
    @Test
    void runsWorkOnTheShardOfTheTenant() throws SQLException {
        try (ShardedApp app = ShardedApp.start(2)) {
            Homeshard homeshard = app.homeshard();
            TenantId one = TenantId.of("t_one");
            assertThatThrownBy(() -> homeshard.run(one, homeshard.dataSource()::getConnection))
                    .isInstanceOf(UnknownTenantException.class)
                    .hasMessage("tenant t_one - is not in the directory; tenants().create() creates it");
            homeshard.tenants().createOn(one, ShardId.of("s1"));
            homeshard.run(one, () -> {
                try (Connection connection = homeshard.dataSource().getConnection()) {
                    ShardedApp.insertNote(connection, one, 1);
                    assertThat(connection.unwrap(PGConnection.class).getBackendPID())
                            .isPositive();
                }
            });
            String body = homeshard.call(one, () -> {
                try (Connection connection = homeshard.dataSource().getConnection()) {
                    return Jdbc.one(connection, "SELECT body FROM app.note", row -> row.getString(1));
                }
            });
            assertThat(body).isEqualTo("x");
            assertThat(app.notes("s1", one)).isEqualTo(1);
            assertThat(app.notes("s2", one)).isZero();
        }
    }

    @Test
    void newTenantsSpreadOverTheShards() {
        try (ShardedApp app = ShardedApp.start(2)) {
            Set<ShardId> used = new TreeSet<>();
            for (int i = 0; i < 20; i++) {
                used.add(app.homeshard()
                        .tenants()
                        .create(TenantId.of("tenant-" + i))
                        .shard());
            }
            assertThat(used).containsExactly(ShardId.of("s1"), ShardId.of("s2"));
            assertThat(app.homeshard().tenants().list(Optional.empty(), 100)).hasSize(20);
            assertThat(app.homeshard().shards().list()).hasSize(2);
            assertThat(app.homeshard()
                            .claims()
                            .claim("email", "a@b.c", TenantId.of("tenant-0"), "user-1", Duration.ofMinutes(1))
                            .granted())
                    .isTrue();
        }
    }

    @Test
    void aDatabaseThatIsNotTheShardIsRefused() throws SQLException {
        try (ShardedApp app = ShardedApp.start(2)) {
            TenantId one = app.tenant("t_one", "s1");
            try (Connection connection = app.cluster().directory().connect()) {
                Jdbc.update(
                        connection,
                        "UPDATE homeshard.shard SET jdbc_url = ? WHERE shard_id = 's1'",
                        app.database("s2").jdbcUrl() + "?tcpNoDelay=true");
            }
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(
                                () -> app.homeshard().run(one, app.homeshard().dataSource()::getConnection))
                        .isInstanceOf(ShardIdentityException.class)
                        .hasMessageContaining("shard s1")
                        .hasMessageContaining("another one than the directory means");
            }
        }
    }

    @Test
    void aShardWhoseSchemaDoesNotFitIsRefusedWithTheRemedy() throws SQLException {
        try (ShardedApp app = ShardedApp.start(1)) {
            TenantId one = app.tenant("t_one", "s1");
            Map<String, String> remedies = Map.of(
                    "CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql AS 'SELECT 2'",
                    "use a newer version of the library (schema=2, library=1)",
                    "CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql AS 'SELECT 0'",
                    "run SchemaRollout.migrate() (schema=0, library=1)",
                    "ALTER FUNCTION homeshard.schema_number() RENAME TO schema_number_of_old",
                    "is missing or older than this library; run SchemaRollout.migrate()");
            for (Map.Entry<String, String> misfit :
                    new TreeMap<>(remedies).descendingMap().entrySet()) {
                try (Connection connection = app.database("s1").connect()) {
                    Jdbc.run(connection, misfit.getKey());
                }
                Homeshard homeshard = app.another(Homeshard.builder());
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> homeshard.run(one, homeshard.dataSource()::getConnection))
                            .isInstanceOf(SchemaMismatchException.class)
                            .hasMessageContaining("shard s1")
                            .hasMessageContaining(misfit.getValue());
                }
            }
        }
    }

    @Test
    void startsBeforeTheDirectoryHasItsSchemaAndSaysWhatToDo() throws SQLException {
        try (TestCluster cluster = TestCluster.start(0);
                Homeshard homeshard = Homeshard.builder()
                        .directory(cluster.directory().dataSource())
                        .credentials(shard -> new ShardCredentials("app", ""))
                        .tables(ShardedApp.TABLES)
                        .build()) {
            assertThatThrownBy(() -> homeshard.tenants().create(TenantId.of("t_one")))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("SchemaRollout.migrateDirectory()");
        }
    }

    @Test
    void nothingWorksOnceItIsClosed() throws SQLException {
        try (ShardedApp app = ShardedApp.start(1)) {
            TenantId one = app.tenant("t_one", "s1");
            Homeshard homeshard = app.another(Homeshard.builder());
            homeshard.run(one, () -> homeshard.dataSource().getConnection().close());
            Shard shard = homeshard.shards().find(ShardId.of("s1")).orElseThrow();
            homeshard.close();
            homeshard.close();
            List<ThrowableAssert.ThrowingCallable> uses = List.of(
                    () -> homeshard.tenants().find(one),
                    () -> homeshard.tenants().create(TenantId.of("t_two")),
                    () -> homeshard.tenants().list(Optional.empty(), 1),
                    () -> homeshard.tenants().repair(),
                    () -> homeshard.shards().list(),
                    () -> homeshard.shards().add(shard),
                    () -> homeshard.shards().setStatus(shard.id(), ShardStatus.DRAINING),
                    () -> homeshard.claims().find("email", "a@b.c"),
                    () -> homeshard.claims().claim("email", "a@b.c", one, "user-1", Duration.ofMinutes(1)),
                    () -> homeshard.run(one, () -> {}),
                    () -> homeshard.call(one, () -> 1),
                    () -> homeshard.router().route(one));
            for (ThrowableAssert.ThrowingCallable use : uses) {
                assertThatThrownBy(use)
                        .isInstanceOf(HomeshardClosedException.class)
                        .hasMessage("homeshard - is closed");
            }
            assertThatThrownBy(homeshard.dataSource()::getConnection)
                    .isInstanceOf(SQLNonTransientConnectionException.class)
                    .hasCauseInstanceOf(HomeshardClosedException.class);
            app.homeshard()
                    .run(
                            one,
                            () -> assertThatThrownBy(homeshard.dataSource()::getConnection)
                                    .hasCauseInstanceOf(HomeshardClosedException.class));
            assertThatThrownBy(() -> homeshard.parts().pools().open(shard, "test"))
                    .hasCauseInstanceOf(HomeshardClosedException.class);
        }
    }

    @Test
    void theRoutedDataSourceIsNotTheDirectory() {
        try (ShardedApp app = ShardedApp.start(0)) {
            DataSource routed = app.homeshard().dataSource();
            DataSource wrapped = (DataSource) Proxy.newProxyInstance(
                    DataSource.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (self, method, values) -> method.invoke(routed, values));
            for (DataSource wrong : List.of(routed, wrapped)) {
                assertThatThrownBy(() -> Homeshard.builder().directory(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("must not be the routed data source");
            }
        }
    }

    @Test
    void namesThePartThatIsMissing() {
        assertThatThrownBy(() -> Homeshard.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("directory must be set before build()");
    }
}
