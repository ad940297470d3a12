package io.homeshard.guard.bench;

import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import io.homeshard.testing.ShardSchemas;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases of one server, all copies of one with the shop in it and the library's guard on its tables. */
final class Shop implements AutoCloseable {
    /** How many tenants there are. */
    static final int TENANTS = 1000;

    private static final String ROLE = "bench_app";
    private static final String PASSWORD = "bench";
    private static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("shop").build();

    private final BenchServer server;
    private final String prefix =
            "bench_" + UUID.randomUUID().toString().replace("-", "").substring(0, 8) + "_";
    private final String template = prefix + "template";
    private final List<String> databases = new ArrayList<>();

    private Shop(BenchServer server) {
        this.server = server;
    }

    static Shop open(BenchServer server) throws SQLException {
        Shop shop = new Shop(server);
        shop.create(shop.template, "template0");
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.url(shop.template));
        source.setUser(server.user());
        source.setPassword(server.password());
        ShardSchemas.migrateShard(source);
        WriteGuard guard = WriteGuard.create();
        try (Connection owner = server.owner(shop.template);
                Statement statement = owner.createStatement()) {
            statement.execute(resource("shop.sql"));
            guard.identify(owner, new ShardIdentity(UUID.randomUUID(), ShardId.of("bench"), 1));
            guard.install(owner, TABLES, Duration.ofSeconds(5));
            statement.execute("VACUUM ANALYZE");
        }
        return shop;
    }

    BenchServer server() {
        return server;
    }

    /**
     * A new database.
     *
     * @param contender how its tables are guarded
     * @return its name
     */
    String database(Contender contender) throws SQLException {
        String name = prefix + databases.size() + "_" + contender.key();
        create(name, template);
        try (Connection owner = server.owner(name)) {
            Shapes.apply(contender.shape(), owner);
        }
        return name;
    }

    private void create(String name, String from) throws SQLException {
        try (Connection owner = server.owner("postgres")) {
            Jdbc.run(
                    owner,
                    "CREATE DATABASE " + Identifiers.quote(name) + " TEMPLATE " + Identifiers.quote(from)
                            + " STRATEGY file_copy");
        }
        databases.add(name);
    }

    /**
     * Connects as the application.
     *
     * @param database its name
     * @param parameters further ones of the URL, each with an ampersand in front
     */
    Connection application(String database, String parameters) throws SQLException {
        // planned once and sent in binary from the first time on, as after a while of service
        return DriverManager.getConnection(server.url(database) + "?prepareThreshold=1" + parameters, ROLE, PASSWORD);
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Shop.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    @Override
    public void close() throws SQLException {
        try (Connection owner = server.owner("postgres")) {
            for (String name : databases) {
                Jdbc.run(owner, "DROP DATABASE IF EXISTS " + Identifiers.quote(name) + " WITH (FORCE)");
            }
        }
    }
}
