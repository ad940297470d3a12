package io.homeshard.test;

/**
 * One PostgreSQL server of the tests. Implementations are thread-safe.
 *
 * <p>The user is allowed to create databases. Failures of the server or of the connection to it are thrown as
 * {@link IllegalStateException} with the cause inside.
 */
public interface PostgresServer {

    /**
     * Where the server listens.
     *
     * @return a host name or address
     */
    String host();

    /**
     * Where the server listens. The port stays the same when the server is stopped and started.
     *
     * @return a TCP port
     */
    int port();

    /**
     * Who connects.
     *
     * @return the name of the role that the tests use
     */
    String user();

    /**
     * How it connects.
     *
     * @return the password of {@link #user()}
     */
    String password();

    /**
     * The URL of a database of this server, which need not exist.
     *
     * @param database the name of the database
     * @return a JDBC URL that holds neither user nor password
     */
    String jdbcUrl(String database);

    /**
     * Creates an empty database from {@code template0} under a name that no other call gets.
     *
     * @param prefix the start of the name: lower-case letters, digits and underscores, a letter first, at most 40
     * @return the new database
     * @throws IllegalArgumentException when the prefix is not of that form
     */
    Database createDatabase(String prefix);

    /**
     * Stops the server at once: its clients lose their connections, and what was not committed is lost. Does nothing
     * when it is stopped already.
     *
     * @throws UnsupportedOperationException when the server is not an embedded one, or is shared by the whole JVM
     */
    void stop();

    /**
     * Starts the server again with the same data on the same port and waits until it takes connections. Does nothing
     * when it runs.
     *
     * @throws UnsupportedOperationException when the server is not an embedded one, or is shared by the whole JVM
     */
    void start();
}
