package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HomeshardPostgres.class)
@Timeout(60)
class FaultProxyPostgresTest {

    @Test
    void cutConnectionRollsBackOnTheServer(TestCluster cluster) throws SQLException {
        Database shard = cluster.shard(0);
        Sql.run(shard, "CREATE TABLE t (id int)");
        try (FaultProxy proxy = FaultProxy.to(shard.host(), shard.port())) {
            try (Connection connection = connect(proxy, shard)) {
                connection.setAutoCommit(false);
                connection.createStatement().execute("INSERT INTO t VALUES (1)");

                proxy.cut();

                assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            }
            Eventually.holds("the session is gone", Duration.ofSeconds(20), () -> sessions(shard) == 0);
            proxy.heal();
            try (Connection again = connect(proxy, shard)) {
                assertThat(Sql.text(again, "SELECT count(*) FROM t")).isEqualTo("0");
            }
        }
    }

    @Test
    void blackHoleRunsIntoTheSocketTimeout(TestCluster cluster) throws SQLException {
        Database shard = cluster.shard(0);
        try (FaultProxy proxy = FaultProxy.to(shard.host(), shard.port());
                Connection connection = connect(proxy, shard)) {
            connection.setNetworkTimeout(Runnable::run, 500);

            proxy.blackHole();

            assertThatThrownBy(() -> Sql.text(connection, "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
        }
    }

    private static Connection connect(FaultProxy proxy, Database database) throws SQLException {
        return DriverManager.getConnection(proxy.jdbcUrl(database.name()), database.user(), database.password());
    }

    private static int sessions(Database database) {
        try {
            return Integer.parseInt(Sql.text(
                    database,
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
