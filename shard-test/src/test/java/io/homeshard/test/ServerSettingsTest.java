package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

@DisabledIfSystemProperty(
        named = PostgresServers.MODE,
        matches = "external",
        disabledReason = "whoever runs an external server decides its settings")
class ServerSettingsTest {
    private static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void commitsAreSynchronousThoughNothingIsFlushed() throws SQLException {
        assertEverywhere("synchronous_commit", "on");
        assertEverywhere("fsync", "off");
        assertEverywhere("full_page_writes", "off");
    }

    @Test
    void limitsAllowPreparedTransactionsAndLogicalReplication() throws SQLException {
        assertEverywhere("wal_level", "logical");
        assertEverywhere("max_prepared_transactions", "64");
        assertEverywhere("max_connections", "200");
        assertEverywhere("shared_buffers", "32MB");
        assertEverywhere("deadlock_timeout", "1s");
    }

    @Test
    void textIsUtf8InLocaleC() throws SQLException {
        assertEverywhere("server_encoding", "UTF8");
        for (Database database : cluster.shards()) {
            assertThat(Sql.text(
                            database,
                            "SELECT datcollate || '/' || datctype FROM pg_database WHERE datname = current_database()"))
                    .isEqualTo("C/C");
        }
    }

    @Test
    void zoneOfTheServerIsNotUtc() throws SQLException {
        // the driver sets the zone of the JVM for its own sessions, so SHOW would not tell
        assertThat(Sql.text(cluster.directory(), "SELECT pg_read_file('postmaster.opts')"))
                .contains("timezone=Asia/Kolkata")
                .doesNotContain("UTC");
    }

    private static void assertEverywhere(String setting, String value) throws SQLException {
        for (Database database : cluster.shards()) {
            assertThat(Sql.text(database, "SHOW " + setting))
                    .as("%s of %s", setting, database)
                    .isEqualTo(value);
        }
        assertThat(Sql.text(cluster.directory(), "SHOW " + setting)).isEqualTo(value);
    }
}
