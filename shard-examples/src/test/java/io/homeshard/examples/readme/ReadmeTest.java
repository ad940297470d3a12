package io.homeshard.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The code of the README, run; it must be the same code. */
class ReadmeTest {
    private static final String BEGIN = "// begin of the README's code";
    private static final String END = "// end of the README's code";
    private static final Path README = Path.of("..", "README.md");
    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "homeshard", "examples", "readme", "ReadmeTest.java");

    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private final Orders orders = new Orders(TenantId.of("acme"));
    private final UUID cart = UUID.randomUUID();

    @Test
    void plainJdbcDoesWhatTheReadmeSays(TestCluster cluster) throws Exception {
        DataSource directoryDataSource = cluster.directory().dataSource();
        String user = cluster.shard(0).user();
        String urlOfS1 = cluster.shard(0).jdbcUrl();
        String urlOfS2 = cluster.shard(1).jdbcUrl();
        // begin of the README's code
        Homeshard homeshard = Homeshard.builder()
                .directory(directoryDataSource) // a small PostgreSQL of its own
                .credentials(shard -> new ShardCredentials(user, secretOf(shard)))
                .tables(TenantSchema.tenantColumn("tenant_id")
                        .inSchemas("app")
                        .reference("app.currencies")
                        .build())
                .build();

        SchemaRollout rollout = SchemaRollout.of(
                homeshard, flyway -> flyway.locations("classpath:db/app").schemas("app"));
        rollout.migrateDirectory();
        homeshard.shards().add(Shard.of("s1", urlOfS1)); // jdbc:postgresql://db1/app
        homeshard.shards().add(Shard.of("s2", urlOfS2));
        rollout.migrate(); // your scripts, the guard, then: in service

        TenantId acme = TenantId.of("acme");
        homeshard.tenants().create(acme); // placed by policy
        homeshard.run(acme, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) { // acme's shard, and no other
                orders.checkout(connection, cart);
            }
        });
        TenantMover mover = TenantMover.of(homeshard);
        MovePlan plan = mover.plan(acme, ShardId.of("s2")); // a dry run: says all that could go wrong
        MoveReport report = mover.execute(plan);
        // end of the README's code
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.source()).isEqualTo(ShardId.of("s1"));
        assertThat(homeshard.router().route(acme).shard()).isEqualTo(ShardId.of("s2"));
        assertThat(JdbcClient.create(cluster.shard(1).dataSource())
                        .sql("SELECT order_id FROM app.orders WHERE tenant_id = 'acme'")
                        .query(UUID.class)
                        .list())
                .containsExactly(cart);
        homeshard.close();
    }

    @Test
    void theReadmesPlainJdbcIsTheCodeThatWasRun() throws IOException {
        String section = between(Files.readString(README), "\n## Plain JDBC\n", "\n## ");
        String readme = between(section, "```java\n", "```");
        String run = between(Files.readString(SOURCE), "        " + BEGIN + "\n", "        " + END + "\n");
        assertThat(withoutBlanks(readme)).hasSizeGreaterThan(500).isEqualTo(withoutBlanks(run));
    }

    private String secretOf(Shard shard) {
        return POSTGRES.shards().stream()
                .filter(database -> database.jdbcUrl().equals(shard.jdbcUrl()))
                .map(Database::password)
                .findFirst()
                .orElseThrow();
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin);
        assertThat(from).as("'%s' must be there", begin.strip()).isNotNegative();
        int to = text.indexOf(end, from + begin.length());
        assertThat(to).as("'%s' must follow", end.strip()).isNotNegative();
        return text.substring(from + begin.length(), to);
    }

    private static String withoutBlanks(String code) {
        return code.replaceAll("\\s", "");
    }
}
