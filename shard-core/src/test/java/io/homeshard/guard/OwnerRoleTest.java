package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything works for an ordinary role that owns the schema and the tables. */
class OwnerRoleTest {
    private static final TenantSchema NOTES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    private final String owner = "hs_owner_" + UUID.randomUUID().toString().substring(0, 8);
    private final WriteGuard guard = WriteGuard.create();
    private TestCluster cluster;
    private Database database;

    @BeforeEach
    void start() throws SQLException {
        cluster = TestCluster.start(1);
        database = cluster.shard(0);
        try (Connection admin = database.connect()) {
            Jdbc.run(admin, "CREATE ROLE " + owner);
            Jdbc.run(admin, "GRANT CREATE ON DATABASE " + database.name() + " TO " + owner);
            Jdbc.run(admin, "CREATE SCHEMA app AUTHORIZATION " + owner);
        }
    }

    @AfterEach
    void stop() throws SQLException {
        try (Connection admin = database.connect()) {
            Jdbc.run(admin, "DROP OWNED BY " + owner + " CASCADE");
            Jdbc.run(admin, "DROP ROLE " + owner);
        }
        cluster.close();
    }

    private PGSimpleDataSource asOwner() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setOptions("-c role=" + owner);
        return source;
    }

    @Test
    void aTenantComesAndGoes() throws SQLException {
        ShardSchemas.migrateShard(asOwner());
        ShardSchemas.migrateShard(asOwner());
        MoverToken token = GuardedShard.mover(GuardedShard.tenant());
        try (Connection connection = asOwner().getConnection()) {
            assertThat(GuardedShard.text(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
                    .isEqualTo("f");
            Jdbc.run(connection, "CREATE TABLE app.note (tenant_id text, id int)");
            Jdbc.run(connection, "ALTER TABLE app.note ENABLE ROW LEVEL SECURITY");
            guard.install(connection, NOTES, SOON);
            done(guard.identify(connection, new ShardIdentity(UUID.randomUUID(), ShardId.of("s1"), 1)));
            done(guard.reserve(connection, token, 1));
            done(guard.markVerified(connection, token, 1));
            done(guard.activate(connection, token, 1));
            Jdbc.update(
                    connection,
                    "INSERT INTO app.note VALUES (?, 1)",
                    token.tenant().value());
            MoverToken away = GuardedShard.mover(token.tenant());
            done(guard.freeze(connection, away, 1, SOON));
            done(guard.markMoved(connection, away, 1, ShardId.of("s2")));
            assertThat(guard.terminateOlder(connection, away)).isZero();
            assertThat(guard.sweep(connection, away, TableName.parse("app.note"), 5))
                    .isEqualTo(1);
        }
    }

    @Test
    void rowsHiddenByAPolicyAreNotTakenForNoRows() throws SQLException {
        ShardSchemas.migrateShard(asOwner());
        MoverToken token = GuardedShard.mover(GuardedShard.tenant());
        try (Connection connection = asOwner().getConnection()) {
            Jdbc.run(connection, "CREATE TABLE app.note (tenant_id text, id int)");
            guard.install(connection, NOTES, SOON);
            done(guard.reserve(connection, token, 1));
            Jdbc.run(connection, "ALTER TABLE app.note ENABLE ROW LEVEL SECURITY");
            Jdbc.run(connection, "ALTER TABLE app.note FORCE ROW LEVEL SECURITY");
            fails("42501", () -> guard.release(connection, token, 1));
            fails("42501", () -> guard.sweep(connection, token, TableName.parse("app.note"), 5));
        }
    }

    /** Partitions are made by whoever owns the table, who has no right on the guard. */
    @Test
    void partitionsThatTheTablesOwnerMakesAreGuardedAtOnce() throws SQLException {
        String tables = owner + "_tables";
        ShardSchemas.migrateShard(asOwner());
        try (Connection admin = database.connect()) {
            Jdbc.run(admin, "CREATE ROLE " + tables);
            Jdbc.run(admin, "GRANT " + tables + " TO " + owner);
            Jdbc.run(admin, "GRANT ALL ON SCHEMA app TO " + tables);
            Jdbc.run(admin, "SET ROLE " + tables);
            Jdbc.run(admin, "CREATE TABLE app.event (tenant_id text, at int) PARTITION BY RANGE (at)");
            Jdbc.run(admin, "CREATE TABLE app.later (tenant_id text, at int)");
            try (Connection connection = asOwner().getConnection()) {
                guard.install(connection, NOTES, SOON);
            }
            ShardSchemas.migrateShard(asOwner());
            Jdbc.run(admin, "CREATE TABLE app.event1 PARTITION OF app.event FOR VALUES FROM (0) TO (10)");
            Jdbc.run(admin, "ALTER TABLE app.event ATTACH PARTITION app.later FOR VALUES FROM (10) TO (20)");
            fails("HS001", () -> Jdbc.run(admin, "INSERT INTO app.event1 VALUES ('nobody', 1)"));
            fails("HS001", () -> Jdbc.run(admin, "INSERT INTO app.later VALUES ('nobody', 11)"));
            fails("HS001", () -> Jdbc.run(admin, "INSERT INTO app.event VALUES ('nobody', 1)"));
            Jdbc.run(admin, "RESET ROLE");
            Jdbc.run(admin, "DROP OWNED BY " + tables);
            Jdbc.run(admin, "DROP ROLE " + tables);
        }
    }
}
