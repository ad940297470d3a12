package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantFrozenException;
import io.homeshard.model.TenantId;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The directory's server is gone: cached tenants go on, whatever happened shortly before or is tried meanwhile. */
class DirectoryDownTest {
    private final TestCluster cluster =
            TestCluster.builder().shards(2).dedicatedServers(true).build();
    private final ShardedApp app = ShardedApp.on(cluster, Homeshard.builder());
    private final TenantId one = app.tenant("t_one", "s1");

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void aChangeOfAShardThatFailsLeavesCachedTenantsAlone() throws SQLException {
        write(1);
        cluster.directoryServer().stop();
        assertThatThrownBy(() -> app.homeshard().shards().setStatus(ShardId.of("s2"), ShardStatus.DRAINING))
                .isInstanceOf(DirectoryUnavailableException.class);
        write(2);
        assertThat(read()).isEqualTo(2);
    }

    @Test
    void aFrozenTenantIsReadAlsoAfterARefusedWrite() throws SQLException {
        write(1);
        app.beginMove(one, "s2");
        assertThatThrownBy(() -> write(2)).isInstanceOf(TenantFrozenException.class);
        cluster.directoryServer().stop();
        assertThat(read()).isEqualTo(1);
        assertThatThrownBy(() -> write(2)).isInstanceOf(TenantFrozenException.class);
        assertThat(read()).isEqualTo(1);
    }

    private void write(int id) throws SQLException {
        app.homeshard().run(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection()) {
                ShardedApp.insertNote(connection, one, id);
            }
        });
    }

    private long read() throws SQLException {
        return app.homeshard().<Long, SQLException>call(one, () -> {
            try (Connection connection = app.homeshard().dataSource().getConnection()) {
                return Jdbc.one(connection, "SELECT count(*) FROM app.note", row -> row.getLong(1));
            }
        });
    }
}
