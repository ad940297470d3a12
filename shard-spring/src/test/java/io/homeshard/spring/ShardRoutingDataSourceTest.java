package io.homeshard.spring;

import static io.homeshard.spring.NoteApp.ONE;
import static io.homeshard.spring.NoteApp.S1;
import static io.homeshard.spring.NoteApp.S2;
import static io.homeshard.spring.NoteApp.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.NoTenantException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.routing.RoutingDataSource;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShardRoutingDataSourceTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private NoteApp app;
    private ShardRoutingDataSource door;

    @BeforeEach
    void start(TestCluster cluster) {
        app = NoteApp.start(cluster);
        door = app.dataSource();
    }

    @AfterEach
    void stop() {
        app.close();
    }

    @Test
    void theLookupKeyNamesTheShardToWhichConnectionsLead(TestCluster cluster) {
        app.homeshard().run(ONE, () -> {
            assertThat(door.determineCurrentLookupKey()).isEqualTo(S1);
            assertThat(database()).isEqualTo(cluster.shard(0).name());
        });
        app.homeshard().run(TWO, () -> {
            assertThat(door.determineCurrentLookupKey()).isEqualTo(S2);
            assertThat(database()).isEqualTo(cluster.shard(1).name());
        });
    }

    @Test
    void refusalsLeaveGetConnectionAsSqlExceptions() {
        assertThatThrownBy(door::getConnection)
                .isInstanceOf(SQLNonTransientConnectionException.class)
                .hasCauseInstanceOf(NoTenantException.class);
        assertThatThrownBy(() -> app.homeshard().run(TenantId.of("nobody"), door::getConnection))
                .isInstanceOf(UnknownTenantException.class);
    }

    @Test
    void credentialsCannotBeHandedInNorTargetsBeSet() {
        assertThatThrownBy(() -> app.homeshard().run(ONE, () -> door.getConnection("postgres", "x")))
                .isInstanceOf(SQLFeatureNotSupportedException.class);
        assertThatThrownBy(() -> door.setTargetDataSources(Map.of())).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> door.setDefaultTargetDataSource(door))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> door.setLenientFallback(true)).isInstanceOf(UnsupportedOperationException.class);
    }

    /** Tools look for the pool behind a DataSource when the application starts, where there is no tenant. */
    @Test
    void unwrapsAndInitializesOutsideAnyScope() throws SQLException {
        door.afterPropertiesSet();
        door.initialize();
        assertThat(door.getResolvedDataSources()).isEmpty();
        assertThat(door.getResolvedDefaultDataSource()).isNull();
        assertThat(door.isWrapperFor(RoutingDataSource.class)).isTrue();
        assertThat(door.unwrap(RoutingDataSource.class))
                .isSameAs(app.homeshard().dataSource());
    }

    private String database() {
        return app.jdbc().queryForObject("SELECT current_database()", String.class);
    }
}
