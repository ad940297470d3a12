package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The support desk: its tables on all shards, and tenants with tickets. */
final class Desk {
    private static final String CUSTOMERS = """
            INSERT INTO desk.customers (tenant_id, name) SELECT ?, 'customer ' || g FROM generate_series(1, 100) g
            """;
    private static final String TICKETS = """
            INSERT INTO desk.tickets (tenant_id, customer_id, priority, subject)
            SELECT c.tenant_id, c.customer_id, (ARRAY['low', 'normal', 'high'])[1 + g % 3], 'printer ' || g || ' on fire'
              FROM desk.customers c, generate_series(1, ?) g WHERE c.tenant_id = ?
            """;
    private static final String MESSAGES = """
            INSERT INTO desk.messages (tenant_id, ticket_id, message_no, body, file)
            SELECT t.tenant_id, t.ticket_id, g, repeat('It burns. ', 5 + g), decode(md5(t.ticket_id::text), 'hex')
              FROM desk.tickets t, generate_series(1, 3) g WHERE t.tenant_id = ?
            """;
    private static final String WRITE =
            "UPDATE desk.tickets SET status = 'closed' WHERE tenant_id = ? AND ticket_id % 100 = 0";
    static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("desk")
            .reference("desk.priorities")
            .build();

    private Desk() {}

    /** What the service and its operators build from configuration. */
    static Homeshard connect(TestCluster cluster) {
        return connect(Address.of(cluster));
    }

    static Homeshard connect(Address directory) {
        return Homeshard.builder()
                .directory(directory.dataSource())
                .credentials(shard -> new ShardCredentials(directory.user(), directory.password()))
                .tables(TABLES)
                .build();
    }

    /** The schema on the directory and all shards, and the shards in service. */
    static void rollOut(Homeshard homeshard, TestCluster cluster) {
        SchemaRollout rollout = SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/desk"));
        rollout.migrateDirectory();
        for (int i = 0; i < cluster.shards().size(); i++) {
            homeshard.shards().add(Shard.of("s" + (i + 1), cluster.shard(i).jdbcUrl()));
        }
        rollout.migrate();
    }

    /** A tenant with 100 customers, and so many tickets for each. */
    static void open(Homeshard homeshard, TenantId tenant, ShardId shard, int tickets) throws SQLException {
        homeshard.tenants().createOn(tenant, shard);
        homeshard.run(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                run(connection, CUSTOMERS, tenant.value());
                try (PreparedStatement insert = connection.prepareStatement(TICKETS)) {
                    insert.setInt(1, tickets);
                    insert.setString(2, tenant.value());
                    insert.executeUpdate();
                }
                run(connection, MESSAGES, tenant.value());
                try (Statement statistics = connection.createStatement()) {
                    // what autovacuum does sooner or later; a plan estimates by it
                    statistics.execute("ANALYZE desk.customers, desk.tickets, desk.messages");
                }
            }
        });
    }

    /** Somebody works: closes some tickets. Returns how many. */
    static int write(Homeshard homeshard, TenantId tenant) throws SQLException {
        return homeshard.call(tenant, () -> {
            try (Connection connection = homeshard.dataSource().getConnection()) {
                return run(connection, WRITE, tenant.value());
            }
        });
    }

    private static int run(Connection connection, String sql, String tenant) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, tenant);
            return statement.executeUpdate();
        }
    }
}
