package io.homeshard.examples.readme;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.HomeshardPostgres;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of the README, run; it must be the same code. */
class ReadmeTest {
    @RegisterExtension
    static final HomeshardPostgres POSTGRES = HomeshardPostgres.withShards(2);

    private final Orders orders = new Orders();
    private final UUID cart = UUID.randomUUID();

    @Test
    void plainJdbc(TestCluster cluster) throws Exception {
        DataSource directoryDataSource = cluster.directory().dataSource();
        String password = cluster.shard(0).password();
        // begin of the README's code
        Homeshard homeshard = Homeshard.builder()
                .directory(directoryDataSource) // a small PostgreSQL of its own
                .credentials(shard -> new ShardCredentials("app", secretOf(shard)))
                .tables(TenantSchema.tenantColumn("tenant_id")
                        .inSchemas("app")
                        .reference("app.currencies")
                        .build())
                .build();

        SchemaRollout rollout = SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/app"));
        rollout.migrateDirectory();
        homeshard.shards().add(Shard.of("s1", "jdbc:postgresql://db1/app"));
        homeshard.shards().add(Shard.of("s2", "jdbc:postgresql://db2/app"));
        rollout.migrate(); // your scripts, the guard, then: in service

        TenantId acme = TenantId.of("acme");
        homeshard.tenants().create(acme); // placed by policy
        homeshard.run(acme, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) { // acme's shard, and no other
                orders.checkout(connection, cart);
            }
        });
        TenantMover mover = TenantMover.of(homeshard);
        MoveReport report = mover.execute(mover.plan(acme, ShardId.of("s2")));
        // end of the README's code
    }
}
