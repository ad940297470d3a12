package io.homeshard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a native subscription may write. Its worker fires row triggers that are ENABLE ALWAYS, and no statement ones. */
class ApplyWorkerTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("public")
            .writtenInBulk("public.load")
            .build();
    private static final String SUBSCRIBE = """
            CREATE SUBSCRIPTION %1$s CONNECTION 'host=%2$s port=%3$d dbname=%4$s user=%5$s password=%6$s'
            PUBLICATION %1$s WITH (copy_data = false, disable_on_error = true)""";

    private GuardedShard shard;
    private TestCluster elsewhere;
    private TenantId owned;
    private TenantId frozen;

    @BeforeEach
    void start() throws SQLException {
        shard = GuardedShard.empty();
        elsewhere = TestCluster.start(2);
        for (String table : new String[] {"note", "load"}) {
            String create = "CREATE TABLE " + table + " (tenant_id text, id int, PRIMARY KEY (tenant_id, id))";
            shard.sql(create);
            publisher("CREATE TABLE " + table + " (tenant_id text, id int, PRIMARY KEY (tenant_id, id))");
            publisher("CREATE PUBLICATION of_" + table + " FOR TABLE " + table);
        }
        shard.install(TABLES);
        owned = shard.owned();
        frozen = shard.owned();
        shard.frozen(frozen);
    }

    @AfterEach
    void stop() {
        shard.close();
        elsewhere.close();
    }

    @Test
    void isRefusedForATenantThatIsNotOwned() throws SQLException {
        subscribe("of_note");
        insert("note", owned);
        shard.await("SELECT count(*) = 1 FROM note WHERE tenant_id = ?", owned.value());

        insert("note", frozen);
        shard.await("SELECT NOT subenabled FROM pg_subscription WHERE subname = 'of_note'");
        assertThat(shard.notes(frozen)).isZero();
    }

    /** A limit, written down in docs/guard.md: whoever feeds a bulk table by a subscription is not stopped. */
    @Test
    void passesTheGuardOfATableThatIsWrittenInBulk() throws SQLException {
        subscribe("of_load");
        insert("load", frozen);
        shard.await("SELECT count(*) = 1 FROM load WHERE tenant_id = ?", frozen.value());
    }

    /** On the server that the guarded shard is not on: creating a slot there would wait for this very session. */
    private Database publisher() {
        return elsewhere.shard(0).port() == shard.database.port() ? elsewhere.shard(1) : elsewhere.shard(0);
    }

    private void subscribe(String name) throws SQLException {
        Database from = publisher();
        shard.sql(SUBSCRIBE.formatted(name, from.host(), from.port(), from.name(), from.user(), from.password()));
    }

    private void insert(String table, TenantId tenant) throws SQLException {
        try (Connection connection = publisher().connect()) {
            Jdbc.update(connection, "INSERT INTO " + table + " VALUES (?, 1)", tenant.value());
        }
    }

    private void publisher(String sql) throws SQLException {
        try (Connection connection = publisher().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
