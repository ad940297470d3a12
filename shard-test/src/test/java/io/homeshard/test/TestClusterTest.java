package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TestClusterTest {

    @Test
    void databasesAreEmptyAndHaveNamesOfTheirOwn() throws SQLException {
        try (TestCluster cluster = TestCluster.start(3)) {
            List<Database> all = Stream.concat(Stream.of(cluster.directory()), cluster.shards().stream())
                    .toList();

            assertThat(all).hasSize(4).extracting(Database::name).doesNotHaveDuplicates();
            for (Database database : all) {
                assertThat(Sql.text(
                                database, "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
                        .isEqualTo("0");
                assertThat(Sql.text(database, "SELECT current_database()")).isEqualTo(database.name());
            }
        }
    }

    @Test
    void closedClusterLeavesNoDatabase() throws SQLException {
        String first;
        try (TestCluster cluster = TestCluster.start(1)) {
            first = cluster.shard(0).name();
        }
        try (TestCluster later = TestCluster.start(1)) {
            assertThat(Sql.text(later.shard(0), "SELECT count(*) FROM pg_database WHERE datname = '" + first + "'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void clustersStartedAtOnceUseTheSameServers() {
        CompletableFuture<TestCluster> one = CompletableFuture.supplyAsync(() -> TestCluster.start(2));
        CompletableFuture<TestCluster> two = CompletableFuture.supplyAsync(() -> TestCluster.start(2));
        try (TestCluster first = one.join();
                TestCluster second = two.join()) {
            assertThat(first.directoryServer()).isSameAs(second.directoryServer());
            assertThat(first.shardServer(1)).isSameAs(second.shardServer(1));
            assertThat(first.shard(1).name()).isNotEqualTo(second.shard(1).name());
            assertThat(PostgresServers.shared()).contains(first.shardServer(0), first.shardServer(1));
        }
    }

    @Test
    void addedShardGetsTheNextIndex() throws SQLException {
        try (TestCluster cluster = TestCluster.start(1)) {
            Database added = cluster.addShard();

            assertThat(cluster.shard(1)).isSameAs(added);
            assertThat(Sql.text(added, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void closedClusterTakesNoShard() {
        TestCluster cluster = TestCluster.start(0);
        cluster.close();
        cluster.close();

        assertThatThrownBy(cluster::addShard).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sharedServersCannotBeStopped() throws SQLException {
        try (TestCluster cluster = TestCluster.start(1)) {
            assertThatThrownBy(() -> cluster.shardServer(0).stop()).isInstanceOf(UnsupportedOperationException.class);
            assertThat(Sql.text(cluster.shard(0), "SELECT 1")).isEqualTo("1");
        }
    }
}
