package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class TestClusterTest {

    @Test
    void databasesAreFreshAndDropped() throws SQLException {
        try (TestCluster cluster = TestCluster.start(3)) {
            assertThat(cluster.shards()).hasSize(3).doesNotHaveDuplicates();
            try (Connection connection = cluster.shard(2).connect()) {
                assertThat(show(connection, "synchronous_commit")).isEqualTo("on");
            }
        }
    }

    private static String show(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
