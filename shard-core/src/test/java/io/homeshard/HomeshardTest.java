package io.homeshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.testing.ShardedApp;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The way of one call, from the front door to the rows and back. */
class HomeshardTest {
    @Test
    void runsWorkOnTheShardOfTheTenant() throws SQLException {
        try (ShardedApp app = ShardedApp.start(2)) {
            TenantId one = app.tenant("t_one", "s1");
            Homeshard homeshard = app.homeshard();
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
    void namesThePartThatIsMissing() {
        assertThatThrownBy(() -> Homeshard.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("directory must be set before build()");
    }
}
