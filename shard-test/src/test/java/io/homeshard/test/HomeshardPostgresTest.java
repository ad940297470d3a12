package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HomeshardPostgresTest {
    @RegisterExtension
    static final HomeshardPostgres pg = HomeshardPostgres.withShards(3);

    private static final List<String> seen = new ArrayList<>();

    @BeforeEach
    void remember(TestCluster cluster) {
        assertThat(pg.cluster()).isSameAs(cluster);
        seen.add(cluster.directory().name());
    }

    @RepeatedTest(2)
    void everyMethodGetsFreshDatabases(TestCluster cluster) throws SQLException {
        assertThat(cluster.shards()).hasSize(3).isEqualTo(pg.shards());
        Sql.run(pg.directory(), "CREATE TABLE mine (id int)");
        Sql.run(pg.shard(2), "CREATE TABLE mine (id int)");
    }

    @Nested
    class Inside {
        @Test
        void nestedMethodsDoToo() throws SQLException {
            Sql.run(pg.shard(2), "CREATE TABLE mine (id int)");
        }
    }

    @AfterAll
    static void databasesOfEarlierMethodsAreGone() throws SQLException {
        assertThat(seen).hasSizeGreaterThanOrEqualTo(1).doesNotHaveDuplicates();
        try (Database probe = PostgresServers.shared().get(0).createDatabase("probe")) {
            String names = "'" + String.join("','", seen) + "'";
            assertThat(Sql.text(probe, "SELECT count(*) FROM pg_database WHERE datname IN (" + names + ")"))
                    .isEqualTo("0");
        }
    }
}
