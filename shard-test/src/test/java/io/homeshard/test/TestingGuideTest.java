package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/testing.md, and a test that they are the same there as here. */
class TestingGuideTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyExampleOfTheGuideIsCodeOfThisClass() throws IOException {
        String code = plain(Files.readString(Path.of("src/test/java/io/homeshard/test/TestingGuideTest.java")));
        List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/testing.md")))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(examples).hasSizeGreaterThan(3);
        for (String example : examples) {
            assertThat(code).contains(plain(example.substring("```java".length(), example.length() - 3)));
        }
    }

    /** Without white space: the formatter breaks lines at other places here, where all is deeper inside. */
    private static String plain(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Nested
    class OrderTest {
        @RegisterExtension
        static final HomeshardPostgres pg = HomeshardPostgres.withShards(3);

        @Test
        void startsEmpty() throws SQLException {
            try (Connection connection = pg.shard(0).connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE orders (tenant_id bigint, id bigint)");
            }
        }
    }

    @Nested
    class SharedByAClass {
        @RegisterExtension
        static final HomeshardPostgres pg = HomeshardPostgres.withShards(3).perClass();

        @Test
        void hasShards() {
            assertThat(pg.shards()).hasSize(3);
        }
    }

    @Nested
    @ExtendWith(HomeshardPostgres.class)
    class InvoiceTest {

        @Test
        void hasTwoShards(TestCluster cluster) {
            assertThat(cluster.shards()).hasSize(2);
        }
    }

    @Nested
    @DisabledIfSystemProperty(
            named = PostgresServers.MODE,
            matches = "testcontainers|external",
            disabledReason = "only a server that this JVM has started itself can be stopped and started again")
    class Stopped {
        @Test
        void survivesAStoppedShard() throws SQLException {
            try (TestCluster cluster =
                    TestCluster.builder().shards(2).dedicatedServers(true).build()) {
                cluster.shardServer(1).stop();
                assertThatThrownBy(cluster.shard(1)::connect).isInstanceOf(SQLException.class);
                cluster.shardServer(1).start();
                cluster.shard(1).connect().close();
            }
        }
    }

    @Nested
    @ExtendWith(HomeshardPostgres.class)
    class Network {
        @Test
        void noticesABrokenNetwork(TestCluster cluster) throws SQLException {
            Database shard = cluster.shard(0);
            try (FaultProxy proxy = FaultProxy.to(shard.host(), shard.port());
                    Connection connection =
                            DriverManager.getConnection(proxy.jdbcUrl(shard.name()), shard.user(), shard.password())) {
                proxy.delay(Duration.ofMillis(20));
                assertThat(connection.isValid(5)).isTrue();
                proxy.cut();
                assertThat(connection.isValid(5)).isFalse();
            }
        }
    }
}
