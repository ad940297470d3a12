package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ExternalServersTest {

    @Test
    void databasesAreMadeOnTheNamedServers() throws SQLException {
        PostgresServer running = PostgresServers.shared().get(0);
        String url = running.jdbcUrl("postgres") + "?user=" + running.user() + "&ApplicationName=seen&password="
                + running.password();
        PostgresServer external = new ExternalServers(url + "; ").next(true);

        try (Database database = external.createDatabase("external")) {
            assertThat(database.jdbcUrl()).isEqualTo(running.jdbcUrl(database.name()) + "?ApplicationName=seen");
            assertThat(Sql.text(database, "SHOW application_name")).isEqualTo("seen");
        }
    }

    @Test
    void urlIsTakenApart() {
        ServerAddress address = ExternalServers.parse("jdbc:postgresql://db.example:6000/admin?user=u&password=p");

        assertThat(address).isEqualTo(new ServerAddress("db.example", 6000, "u", "p", "admin", ""));
        assertThat(ExternalServers.parse("jdbc:postgresql://db.example/").port())
                .isEqualTo(5432);
    }

    @Test
    void severalServersAreSharedInOrder() {
        ExternalServers servers =
                new ExternalServers("jdbc:postgresql://one/postgres?user=u;jdbc:postgresql://two/postgres?user=u");

        assertThat(servers.sharedServers()).isEqualTo(2);
        assertThat(servers.next(true).host()).isEqualTo("one");
        assertThat(servers.next(true).host()).isEqualTo("two");
    }

    @Test
    void serversCanNeitherBeStoppedNorMultiplied() {
        ExternalServers servers = new ExternalServers("jdbc:postgresql://one/postgres?user=u");
        PostgresServer only = servers.next(false);

        assertThatThrownBy(only::stop)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("embedded");
        assertThatThrownBy(only::start).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> servers.next(false)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void wrongPropertyIsRefusedWithoutShowingThePassword() {
        assertThatThrownBy(() -> new ExternalServers(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(ExternalServers.URLS);
        assertThatThrownBy(() -> new ExternalServers("jdbc:mysql://h/d?password=hidden"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hidden");
        assertThatThrownBy(() -> new ExternalServers("jdbc:postgresql://a,b/d?password=hidden"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one host")
                .hasMessageNotContaining("hidden");
    }
}
