package io.homeshard.test;

import java.util.List;

/**
 * The PostgreSQL servers of this JVM.
 *
 * <p>Servers start at the first call that needs them, several at once in parallel, and live until the JVM ends. The
 * system property {@value #MODE} says where they come from:
 *
 * <ul>
 *   <li>{@code embedded} (the default): processes of this machine, from binaries on the class path
 *   <li>{@code testcontainers}: Docker containers; {@code org.testcontainers:testcontainers-postgresql} must be on the
 *       class path
 *   <li>{@code external}: servers that run already, named by {@code homeshard.test.external}
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class PostgresServers {
    /** The system property that chooses the mode. */
    public static final String MODE = "homeshard.test.postgres";

    private PostgresServers() {}

    /**
     * The servers that all tests of the JVM share. They cannot be stopped.
     *
     * @return at least one running server; the same ones at each call
     */
    public static List<PostgresServer> shared() {
        return ServerPool.ofThisJvm().shared();
    }

    /**
     * Lends servers that no one else uses until they are given back. In embedded mode they can be stopped and started.
     *
     * @param count how many, at least 1
     * @return running servers
     * @throws UnsupportedOperationException in external mode, when fewer are named than are asked for
     */
    public static List<PostgresServer> lease(int count) {
        return ServerPool.ofThisJvm().lease(count);
    }

    /**
     * Takes lent servers back, to be lent again. The databases on them must have been dropped.
     *
     * @param servers what {@link #lease} returned, running
     */
    public static void release(List<PostgresServer> servers) {
        ServerPool.ofThisJvm().release(servers);
    }
}
