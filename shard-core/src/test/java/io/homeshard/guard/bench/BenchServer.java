package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.test.PostgresServer;
import io.homeshard.test.PostgresServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The server that is measured: one with settings of its own, or, where that is not possible, a shared one. */
final class BenchServer implements AutoCloseable {
    private final String url;
    private final String user;
    private final String password;
    private final @Nullable ServerProcess process;

    private BenchServer(String url, String user, String password, @Nullable ServerProcess process) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.process = process;
    }

    /**
     * Starts a server with the binaries that the test servers use; elsewhere than in embedded mode takes one of those.
     *
     * @param root where its data goes
     * @param settings of {@code postgresql.conf}
     */
    static BenchServer start(Path root, Map<String, String> settings) throws SQLException {
        List<PostgresServer> lent = PostgresServers.lease(1);
        PostgresServer server = lent.get(0);
        if (!System.getProperty(PostgresServers.MODE, "embedded").equals("embedded")) {
            return new BenchServer(server.jdbcUrl(""), server.user(), server.password(), null);
        }
        try (Connection connection =
                DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password())) {
            Path data = Path.of(Jdbc.<String>one(connection, "SHOW data_directory", row -> row.getString(1)));
            ServerProcess process = ServerProcess.start(data, root, settings);
            return new BenchServer("jdbc:postgresql://127.0.0.1:" + process.port() + "/", "postgres", "", process);
        } finally {
            PostgresServers.release(lent);
        }
    }

    /** Connects as the server's first role. */
    Connection owner(String database) throws SQLException {
        return DriverManager.getConnection(url(database), user, password);
    }

    /** The URL of a database, without parameters. */
    String url(String database) {
        int query = url.indexOf('?');
        return query < 0 ? url + database : url.substring(0, query) + database;
    }

    String user() {
        return user;
    }

    String password() {
        return password;
    }

    /** Ids of its processes, as far as they are this machine's and ours. */
    List<Long> processes() {
        if (process == null) {
            return List.of();
        }
        return Stream.concat(Stream.of(process.handle()), process.handle().children())
                .map(ProcessHandle::pid)
                .toList();
    }

    String version() throws SQLException {
        try (Connection connection = owner("postgres")) {
            return Jdbc.one(connection, "SHOW server_version", row -> row.getString(1));
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.stop();
        }
    }
}
