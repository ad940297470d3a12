package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two tenants on different shards, seen through the application. */
class IsolationTest {
    @Test
    void tenantsOnDifferentShardsDoNotSeeEachOther() throws SQLException {
        try (ShardedApp app = ShardedApp.start(2)) {
            TenantId one = app.tenant("t_one", "s1");
            TenantId two = app.tenant("t_two", "s2");
            write(app.homeshard(), one, 1);
            write(app.homeshard(), two, 2);
            // not even a statement that forgot its WHERE reaches the other's rows
            assertThat(all(app.homeshard(), one)).containsExactly("t_one 1");
            assertThat(all(app.homeshard(), two)).containsExactly("t_two 2");
            app.homeshard().run(one, () -> {
                try (Connection connection = app.homeshard().dataSource().getConnection()) {
                    assertThat(Jdbc.update(connection, "DELETE FROM app.note WHERE tenant_id = 't_two'"))
                            .isZero();
                }
            });
            assertThat(app.notes("s2", two)).isEqualTo(1);
            assertThat(app.notes("s1", two)).isZero();
            assertThat(app.notes("s2", one)).isZero();
        }
    }

    private static void write(Homeshard homeshard, TenantId tenant, int id) throws SQLException {
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                ShardedApp.insertNote(connection, tenant, id);
            }
        });
    }

    private static List<String> all(Homeshard homeshard, TenantId tenant) throws SQLException {
        return homeshard.call(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                return Jdbc.list(
                        connection, "SELECT tenant_id || ' ' || id FROM app.note ORDER BY 1", row -> row.getString(1));
            }
        });
    }
}
