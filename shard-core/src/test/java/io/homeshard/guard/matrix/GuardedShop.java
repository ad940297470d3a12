package io.homeshard.guard.matrix;

import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/**
 * A shard with the shop's tables and the guard on them, installed as the library installs it.
 *
 * @param cluster holds the database
 * @param candidate the shape of the guard that is played against
 */
record GuardedShop(TestCluster cluster, Candidate candidate) implements AutoCloseable {
    private static final String APP = "app";

    /** Roles are the server's, not the database's: other runs may have made it. */
    private static final String CREATE_APP = """
            DO $$ BEGIN
              IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'app') THEN CREATE ROLE app; END IF;
            END $$;
            ALTER ROLE app LOGIN NOSUPERUSER NOINHERIT PASSWORD 'app'""";

    /** Writers of several tenants run into each other; above the lock timeouts of the mover. */
    private static final String RESOLVE_SOON = """
            DO $$ BEGIN
              EXECUTE format('ALTER ROLE app IN DATABASE %I SET deadlock_timeout = ''60ms''', current_database());
            END $$""";

    private static final String DISARM = """
            DO $$
            DECLARE t record;
            BEGIN
              FOR t IN SELECT g.tgrelid::regclass AS tab, g.tgname FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
                  JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'homeshard' AND NOT g.tgisinternal LOOP
                EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', t.tab, t.tgname);
              END LOOP;
            END $$""";

    private static final String BLIND = """
            CREATE OR REPLACE FUNCTION homeshard.unguarded() RETURNS TABLE (tab text, problem text)
              LANGUAGE sql STABLE AS 'SELECT NULL, NULL WHERE false'""";

    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("shop")
            .ignore("shop.queue")
            .ignore("shop.scrap")
            .writtenInBulk("shop.bulk_text", "shop.bulk", "shop.bulk_ledger")
            .build();

    /** With the guard that the run was told to judge. */
    static GuardedShop create() throws SQLException {
        return create(Candidate.chosen());
    }

    /** With another guard in the place of the installed one, which the mover then does not examine. */
    static GuardedShop create(Candidate candidate) throws SQLException {
        GuardedShop shop = new GuardedShop(TestCluster.start(1), candidate);
        shop.bootstrap();
        if (candidate != Candidate.INSTALLED) {
            try (Connection owner = shop.database().connect()) {
                Jdbc.run(owner, BLIND);
                candidate.apply(owner);
            }
        }
        return shop;
    }

    /** Whether the guard is the one that the library installs, which remembers and is examined by the mover. */
    boolean installed() {
        return candidate == Candidate.INSTALLED;
    }

    Database database() {
        return cluster.shard(0);
    }

    Connection connectAsApp() throws SQLException {
        return DriverManager.getConnection(database().jdbcUrl(), APP, APP);
    }

    String majorVersion() throws SQLException {
        try (Connection connection = database().connect()) {
            return Integer.toString(connection.getMetaData().getDatabaseMajorVersion());
        }
    }

    /** Takes the guard away so that the mover does not notice: what the cells see then is what it is good for. */
    void disarm() throws SQLException {
        weaken(DISARM);
    }

    /** Changes the guard so that the mover does not notice. */
    void weaken(String sql) throws SQLException {
        try (Session owner = Session.of(database().connect())) {
            owner.run(BLIND);
            owner.run(sql);
        }
    }

    private void bootstrap() throws SQLException {
        ShardSchemas.migrateShard(database().dataSource());
        WriteGuard guard = WriteGuard.create();
        try (Session owner = Session.of(database().connect())) {
            owner.run(CREATE_APP);
            owner.run(RESOLVE_SOON);
            owner.run(resource("shop.sql"));
            guard.identify(owner.connection(), new ShardIdentity(UUID.randomUUID(), ShardId.of("shop"), 1));
            guard.install(owner.connection(), TABLES, Duration.ofSeconds(5));
        }
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(GuardedShop.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
