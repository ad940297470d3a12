package io.homeshard.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.test.Database;
import io.homeshard.test.PostgresServers;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What becomes of a connection that turns out not to be usable. */
class DirectoryCallsTest {
    @Test
    void aConnectionThatCannotSayHowItCommitsIsGivenBack() throws SQLException {
        try (Database database = PostgresServers.shared().get(0).createDatabase("calls");
                Connection borrowed = database.connect()) {
            DirectoryCalls calls = new DirectoryCalls(handingOut(failing("getAutoCommit", borrowed)));
            assertThatThrownBy(() -> calls.call(connection -> 1)).isInstanceOf(DirectoryUnavailableException.class);
            assertThat(borrowed.isClosed()).isTrue();
        }
    }

    @Test
    void aConnectionOutsideAutocommitIsGivenBack() throws SQLException {
        try (Database database = PostgresServers.shared().get(0).createDatabase("calls");
                Connection borrowed = database.connect()) {
            borrowed.setAutoCommit(false);
            DirectoryCalls calls = new DirectoryCalls(handingOut(borrowed));
            assertThatThrownBy(() -> calls.call(connection -> 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("autocommit");
            assertThat(borrowed.isClosed()).isTrue();
        }
    }

    private static Connection failing(String method, Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                DirectoryCallsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, called, values) -> {
                    if (called.getName().equals(method)) {
                        throw new SQLException("broken by the test", "08006");
                    }
                    return called.invoke(connection, values);
                });
    }

    private static DataSource handingOut(Connection connection) {
        return (DataSource) Proxy.newProxyInstance(
                DirectoryCallsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, called, values) -> connection);
    }
}
