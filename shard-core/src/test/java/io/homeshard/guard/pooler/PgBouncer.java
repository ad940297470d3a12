package io.homeshard.guard.pooler;

import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.test.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A running PgBouncer in front of one database, for the role {@value PooledShard#ROLE} only. Thread-safe. */
final class PgBouncer implements AutoCloseable {
    private static final Duration STARTUP = Duration.ofSeconds(20);

    /** Another process may take the port between the choice and the start. */
    private static final int ATTEMPTS = 3;

    private final PgBouncerProgram program;
    private final Path folder;
    private final Process process;
    private final int port;
    private final List<Client> clients = new CopyOnWriteArrayList<>();

    private PgBouncer(PgBouncerProgram program, Path folder, Process process, int port) {
        this.program = program;
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    /** Starts one and waits until it serves clients. */
    static PgBouncer start(Database database, Pooling pooling) throws IOException, SQLException {
        PgBouncerProgram program = PgBouncerProgram.require();
        for (int attempt = 1; ; attempt++) {
            PgBouncer started = launch(program, database, pooling);
            try {
                started.awaitClients();
                return started;
            } catch (IllegalStateException e) {
                started.close();
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static PgBouncer launch(PgBouncerProgram program, Database database, Pooling pooling) throws IOException {
        Path folder = Files.createTempDirectory("pgbouncer");
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Path users = folder.resolve("users.txt");
        Files.writeString(users, "\"%1$s\" \"%1$s\"%n".formatted(PooledShard.ROLE));
        List<String> ini = new ArrayList<>(List.of(
                "[databases]",
                "shard = host=%s port=%d dbname=%s".formatted(database.host(), database.port(), database.name()),
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = trust",
                "auth_file = " + users,
                "pool_mode = " + pooling.mode(),
                "default_pool_size = " + pooling.size(),
                "server_round_robin = 1",
                "server_reset_query = DISCARD ALL",
                "server_reset_query_always = " + (pooling.reset() ? 1 : 0),
                "ignore_startup_parameters = extra_float_digits",
                "query_wait_timeout = 20"));
        ini.addAll(program.settings());
        Path file = Files.write(folder.resolve("pgbouncer.ini"), ini);
        return new PgBouncer(program, folder, program.start(file, folder.resolve("log")), port);
    }

    private void awaitClients() throws IOException, SQLException {
        long deadline = System.nanoTime() + STARTUP.toNanos();
        while (true) {
            try {
                connect().close();
                return;
            } catch (SQLException e) {
                if (!SqlStates.connectionLost(e) || !process.isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException("pgbouncer does not serve: " + log(), e);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** A new client. The caller may close it; this pooler does so when it ends. */
    Client client() throws SQLException {
        Client client = new Client(connect());
        clients.add(client);
        return client;
    }

    /** The server keeps prepared statements where the pooler can tell whose they are; elsewhere there are none. */
    private Connection connect() throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:%d/shard?prepareThreshold=%d"
                .formatted(port, program.preparesStatements() ? 1 : 0);
        return DriverManager.getConnection(url, PooledShard.ROLE, PooledShard.ROLE);
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    @Override
    public void close() throws IOException, SQLException {
        for (Client client : clients) {
            client.close();
        }
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        for (String file : List.of("users.txt", "pgbouncer.ini", "log")) {
            Files.deleteIfExists(folder.resolve(file));
        }
        Files.delete(folder);
    }
}
