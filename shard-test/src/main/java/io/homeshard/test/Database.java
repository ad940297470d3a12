package io.homeshard.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * One database of a {@link PostgresServer}, made for a test and dropped after it.
 *
 * <p>Thread-safe.
 */
public final class Database implements AutoCloseable {
    private final ServerAddress address;
    private final String name;
    private final AtomicBoolean dropped = new AtomicBoolean();

    Database(ServerAddress address, String name) {
        this.address = Objects.requireNonNull(address, "address");
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * The name on its server.
     *
     * @return the name, which needs no quoting in SQL
     */
    public String name() {
        return name;
    }

    /**
     * The host of the server, for a {@link FaultProxy} in front of it.
     *
     * @return a host name or address
     */
    public String host() {
        return address.host();
    }

    /**
     * The port of the server.
     *
     * @return a TCP port
     */
    public int port() {
        return address.port();
    }

    /**
     * The URL of this database.
     *
     * @return a JDBC URL that holds neither user nor password
     */
    public String jdbcUrl() {
        return address.jdbcUrl(name);
    }

    /**
     * Who connects.
     *
     * @return the role that owns the database
     */
    public String user() {
        return address.user();
    }

    /**
     * How it connects.
     *
     * @return the password of {@link #user()}
     */
    public String password() {
        return address.password();
    }

    /**
     * A data source without a pool: each connection is a new one, and closing it ends it.
     *
     * @return a new data source
     */
    public DataSource dataSource() {
        return address.dataSource(name);
    }

    /**
     * Opens a connection.
     *
     * @return a new connection in auto-commit mode, to be closed by the caller
     * @throws SQLException when the server cannot be reached
     */
    public Connection connect() throws SQLException {
        return dataSource().getConnection();
    }

    /**
     * Drops the database with all that keeps PostgreSQL from dropping it: open connections, prepared transactions,
     * subscriptions and replication slots. Does nothing the second time.
     *
     * @throws IllegalStateException when the server refuses or cannot be reached; the call may then be repeated
     */
    public void drop() {
        if (dropped.get()) {
            return;
        }
        try {
            DatabaseDrop.drop(address, name);
            dropped.set(true);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "test database - not dropped (database=" + name + ", server=" + address + ")", e);
        }
    }

    /** The same as {@link #drop()}. */
    @Override
    public void close() {
        drop();
    }

    @Override
    public String toString() {
        return name + "@" + address;
    }
}
