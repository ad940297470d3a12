package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

@DisabledIfSystemProperty(
        named = PostgresServers.MODE,
        matches = "testcontainers|external",
        disabledReason = "only a server that this JVM has started itself can be stopped and started again")
class DedicatedServersTest {

    @Test
    void stoppedServerBreaksItsClientsAndKeepsItsDataAndPort() throws SQLException {
        try (TestCluster cluster = dedicated(1)) {
            Database shard = cluster.shard(0);
            Sql.run(shard, "CREATE TABLE kept (id int)", "INSERT INTO kept VALUES (7)");
            int port = shard.port();
            try (Connection before = shard.connect()) {
                cluster.shardServer(0).stop();

                assertThatThrownBy(() -> Sql.text(before, "SELECT 1")).isInstanceOf(SQLException.class);
                assertThatThrownBy(shard::connect).isInstanceOf(SQLException.class);
                assertThat(Sql.text(cluster.directory(), "SELECT 1")).isEqualTo("1");
            }

            cluster.shardServer(0).start();

            assertThat(Sql.text(shard, "SELECT id FROM kept")).isEqualTo("7");
            assertThat(Sql.text(shard, "SHOW port")).isEqualTo(Integer.toString(port));
            assertThat(Sql.text(shard, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(Sql.text(shard, "SHOW fsync")).isEqualTo("off");
        }
    }

    @Test
    void everyDatabaseHasAServerOfItsOwn() {
        try (TestCluster cluster = dedicated(1)) {
            cluster.addShard();
            Set<Integer> ports = new HashSet<>();
            ports.add(cluster.directory().port());
            cluster.shards().forEach(shard -> ports.add(shard.port()));
            PostgresServers.shared().forEach(server -> ports.add(server.port()));

            assertThat(ports).hasSize(3 + PostgresServers.shared().size());
        }
    }

    @Test
    void serverThatWasLeftStoppedIsLentRunningAgain() throws SQLException {
        Set<Integer> used = new HashSet<>();
        try (TestCluster cluster = dedicated(1)) {
            used.add(cluster.directory().port());
            used.add(cluster.shard(0).port());
            cluster.directoryServer().stop();
            cluster.directoryServer().stop();
        }
        try (TestCluster next = dedicated(1)) {
            assertThat(used).contains(next.directory().port(), next.shard(0).port());
            assertThat(Sql.text(next.directory(), "SELECT 1")).isEqualTo("1");
            assertThat(Sql.text(next.shard(0), "SELECT 1")).isEqualTo("1");
        }
    }

    private static TestCluster dedicated(int shards) {
        return TestCluster.builder().shards(shards).dedicatedServers(true).build();
    }
}
