package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HomeshardPostgres.class)
class HomeshardPostgresExtendWithTest {

    @Test
    void parameterIsAClusterOfTwoShards(TestCluster cluster) throws SQLException {
        assertThat(cluster.shards()).hasSize(2);
        assertThat(Sql.text(cluster.shard(1), "SELECT 1")).isEqualTo("1");
    }
}
