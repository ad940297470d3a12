package io.homeshard.test;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/** A server process of this machine. */
final class EmbeddedServer implements PostgresServer {
    /** Kept, since it holds the lock on the data folder that keeps others from taking it for a left one. */
    private final EmbeddedPostgres postgres;

    private final ServerAddress address;
    private final Path data;
    private final Path log;
    private final boolean shared;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private boolean running = true;

    EmbeddedServer(EmbeddedPostgres postgres, Path data, Path log, boolean shared) {
        this.postgres = postgres;
        this.address = ServerAddress.of("127.0.0.1", postgres.getPort(), "postgres", "postgres");
        this.data = data;
        this.log = log;
        this.shared = shared;
    }

    @Override
    public String host() {
        return address.host();
    }

    @Override
    public int port() {
        return address.port();
    }

    @Override
    public String user() {
        return address.user();
    }

    @Override
    public String password() {
        return address.password();
    }

    @Override
    public String jdbcUrl(String database) {
        return address.jdbcUrl(database);
    }

    @Override
    public Database createDatabase(String prefix) {
        return DatabaseNames.create(address, prefix);
    }

    @Override
    public void stop() {
        change(false);
    }

    @Override
    public void start() {
        change(true);
    }

    private void change(boolean run) {
        if (shared) {
            throw new UnsupportedOperationException("test server - is shared by all tests of the JVM and cannot be "
                    + "stopped, use TestCluster.builder().dedicatedServers(true) (server=" + address + ")");
        }
        lock.lock();
        try {
            if (running == run) {
                return;
            }
            PgCtl control = PgCtl.of(data);
            if (run) {
                control.start(port(), log);
            } else {
                control.stopNow();
            }
            running = run;
        } catch (IOException e) {
            throw new UncheckedIOException("test server - data folder not readable (folder=" + data + ")", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "embedded " + address + " in " + postgres;
    }
}
