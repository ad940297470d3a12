package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

class DatabaseTest {
    private final PostgresServer server = PostgresServers.shared().get(0);

    @Test
    void isDroppedWithOpenConnectionsPreparedTransactionsAndSlots() throws SQLException {
        Database database = server.createDatabase("obstacles");
        Sql.run(
                database,
                "CREATE TABLE t (id int)",
                "SELECT pg_create_logical_replication_slot('slot_" + database.name() + "', 'pgoutput')",
                "BEGIN",
                "INSERT INTO t VALUES (1)",
                "PREPARE TRANSACTION 'gid ''quoted'' of " + database.name() + "'");
        try (Connection open = database.connect()) {
            assertThat(Sql.text(open, "SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isEqualTo("1");

            database.drop();
        }

        assertThat(exists(database)).isEqualTo("0");
        database.close();
    }

    @Test
    @DisabledIfSystemProperty(
            named = PostgresServers.MODE,
            matches = "testcontainers",
            disabledReason = "a container does not reach another one at the address that the tests use")
    void isDroppedWithItsSubscriptionWhicheverGoesFirst() throws SQLException {
        try (TestCluster cluster = TestCluster.start(2)) {
            Database from = cluster.shard(0);
            Database to = cluster.shard(1);
            Sql.run(from, "CREATE TABLE t (id int)", "CREATE PUBLICATION p FOR TABLE t");
            Sql.run(
                    to,
                    "CREATE TABLE t (id int)",
                    "CREATE SUBSCRIPTION s_" + to.name() + " CONNECTION 'host=" + from.host() + " port=" + from.port()
                            + " user=" + from.user() + " password=" + from.password() + " dbname=" + from.name()
                            + "' PUBLICATION p");

            from.drop();
            to.drop();

            assertThat(exists(from)).isEqualTo("0");
            assertThat(exists(to)).isEqualTo("0");
        }
    }

    @Test
    void urlHoldsNoCredentials() {
        try (Database database = server.createDatabase("plain")) {
            assertThat(database.jdbcUrl())
                    .contains(database.name())
                    .doesNotContain("user=")
                    .doesNotContain("password=");
        }
    }

    @Test
    void prefixMustBeAPlainName() {
        assertThatThrownBy(() -> server.createDatabase("Not; plain"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Not; plain");
    }

    private String exists(Database database) throws SQLException {
        try (Database probe = server.createDatabase("probe")) {
            return Sql.text(probe, "SELECT count(*) FROM pg_database WHERE datname = '" + database.name() + "'");
        }
    }
}
