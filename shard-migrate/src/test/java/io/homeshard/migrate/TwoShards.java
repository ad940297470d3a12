package io.homeshard.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.copy.CopyEnds;
import io.homeshard.migrate.copy.CopyListener;
import io.homeshard.migrate.copy.CopyReport;
import io.homeshard.migrate.copy.SequenceAdvance;
import io.homeshard.migrate.copy.TenantCopy;
import io.homeshard.migrate.verify.DigestComparison;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.TestCluster;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Two databases with the application's tables, without ownership: what copy and verify work on. */
public final class TwoShards implements AutoCloseable {
    /** Admits every mover, for tests whose tables carry no guard; {@code GuardedCopyTest} has the real one. */
    public static final WriteGuard OPEN = (WriteGuard) Proxy.newProxyInstance(
            WriteGuard.class.getClassLoader(), new Class<?>[] {WriteGuard.class}, (proxy, method, arguments) -> null);

    private final TestCluster cluster;
    private final TenantSchema schema;
    private final Connection source;
    private final Connection target;

    private TwoShards(TenantSchema schema) throws SQLException {
        this.cluster = TestCluster.start(2);
        this.schema = schema;
        this.source = cluster.shard(0).connect();
        this.target = cluster.shard(1).connect();
    }

    public static TwoShards with(TenantSchema schema, String ddl) throws SQLException {
        TwoShards shards = new TwoShards(schema);
        run(shards.source, ddl);
        run(shards.target, ddl);
        return shards;
    }

    public static TwoShards inApp(String ddl) throws SQLException {
        return with(TenantSchema.tenantColumn("tenant_id").inSchemas("app").build(), "CREATE SCHEMA app;" + ddl);
    }

    public Connection source() {
        return source;
    }

    public Connection target() {
        return target;
    }

    /** 0 is the source. */
    public DataSource dataSource(int index) {
        return cluster.shard(index).dataSource();
    }

    /** Another connection to the target. */
    public Connection otherTarget() throws SQLException {
        return cluster.shard(1).connect();
    }

    /** Runs a statement on the source in another session. */
    public void runOnSource(String sql) {
        try (Connection other = cluster.shard(0).connect()) {
            run(other, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public TenantCatalog catalog() throws SQLException {
        return TenantCatalog.read(source, schema);
    }

    public static MoverToken token(String tenant) {
        return new MoverToken(TenantId.of(tenant), UUID.randomUUID(), 1, 1);
    }

    public CopyReport copy(String tenant) throws SQLException {
        return TenantCopy.create()
                .copy(new CopyEnds(source, target, OPEN), catalog(), token(tenant), CopyListener.NONE);
    }

    public DigestComparison compare(String tenant) throws SQLException {
        TenantCatalog catalog = catalog();
        TenantId id = TenantId.of(tenant);
        return DigestComparison.compare(TenantDigest.read(source, catalog, id), TenantDigest.read(target, catalog, id));
    }

    /** Copies, advances the sequences and compares. */
    public CopyReport move(String tenant) throws SQLException {
        CopyReport report = copy(tenant);
        SequenceAdvance.advance(target, catalog(), source);
        assertThat(compare(tenant).differences()).isEmpty();
        return report;
    }

    public static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of all rows, as text. */
    public static List<String> query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> result = new ArrayList<>();
            while (rows.next()) {
                result.add(rows.getString(1));
            }
            return result;
        }
    }

    @Override
    public void close() throws SQLException {
        source.close();
        target.close();
        cluster.close();
    }
}
