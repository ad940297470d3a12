package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HomeshardPostgresPerClassTest {
    @RegisterExtension
    static final HomeshardPostgres pg = HomeshardPostgres.withShards(1).perClass();

    private static TestCluster first;

    @BeforeAll
    static void prepare(TestCluster cluster) throws SQLException {
        first = cluster;
        Sql.run(pg.shard(0), "CREATE TABLE ours (id int)");
    }

    @RepeatedTest(2)
    void methodsShareTheDatabases() throws SQLException {
        assertThat(pg.cluster()).isSameAs(first);
        assertThat(Sql.text(pg.shard(0), "SELECT count(*) FROM ours")).isEqualTo("0");
    }

    @Nested
    class Inside {
        @Test
        void soDoNestedOnes(TestCluster cluster) throws SQLException {
            assertThat(cluster).isSameAs(first);
            assertThat(Sql.text(pg.shard(0), "SELECT count(*) FROM ours")).isEqualTo("0");
        }
    }
}
