package io.homeshard.spring;

import io.homeshard.Homeshard;
import io.homeshard.migrate.SchemaRollout;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Homeshard behind Spring's JDBC on two shards: ONE and NEIGHBOUR live on s1, TWO on s2. */
public final class NoteApp implements AutoCloseable {
    public static final TenantId ONE = TenantId.of("t_one");
    public static final TenantId NEIGHBOUR = TenantId.of("t_neighbour");
    public static final TenantId TWO = TenantId.of("t_two");
    public static final ShardId S1 = ShardId.of("s1");
    public static final ShardId S2 = ShardId.of("s2");

    private final TestCluster cluster;
    private final Homeshard homeshard;
    private final ShardRoutingDataSource dataSource;
    private final JdbcTransactionManager transactions;

    private NoteApp(TestCluster cluster, Homeshard homeshard) {
        this.cluster = cluster;
        this.homeshard = homeshard;
        this.dataSource = new ShardRoutingDataSource(homeshard);
        this.transactions = new JdbcTransactionManager(dataSource);
    }

    public static NoteApp start(TestCluster cluster) {
        Homeshard homeshard = Homeshard.builder()
                .directory(cluster.directory().dataSource())
                .credentials(shard -> new ShardCredentials(
                        cluster.shard(0).user(), cluster.shard(0).password()))
                .tables(TenantSchema.tenantColumn("tenant_id").inSchemas("app").build())
                .build();
        SchemaRollout rollout = SchemaRollout.of(homeshard, flyway -> flyway.locations("classpath:db/spring"));
        rollout.migrateDirectory();
        homeshard.shards().add(Shard.of(S1.value(), cluster.shard(0).jdbcUrl()));
        homeshard.shards().add(Shard.of(S2.value(), cluster.shard(1).jdbcUrl()));
        rollout.migrate();
        homeshard.tenants().createOn(ONE, S1);
        homeshard.tenants().createOn(NEIGHBOUR, S1);
        homeshard.tenants().createOn(TWO, S2);
        return new NoteApp(cluster, homeshard);
    }

    public Homeshard homeshard() {
        return homeshard;
    }

    public ShardRoutingDataSource dataSource() {
        return dataSource;
    }

    public JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource);
    }

    public TransactionTemplate transaction() {
        return new TransactionTemplate(transactions);
    }

    /**
     * A template of another propagation.
     *
     * @param propagation one of {@link TransactionDefinition}'s constants
     */
    public TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(propagation);
        return template;
    }

    public void insert(TenantId tenant, int id) {
        JdbcClient.create(dataSource)
                .sql("INSERT INTO app.note VALUES (?, ?)")
                .params(tenant.value(), id)
                .update();
    }

    /** Rows of a shard, past the router: {@code tenant/id}, in order. */
    public List<String> rows(int shard) {
        return on(cluster.shard(shard))
                .queryForList("SELECT tenant_id || '/' || id FROM app.note ORDER BY 1", String.class);
    }

    /** Past the router. */
    public static JdbcTemplate on(Database database) {
        return new JdbcTemplate(database.dataSource());
    }

    @Override
    public void close() {
        homeshard.close();
    }
}
