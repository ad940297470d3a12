package io.homeshard.test;

/** Where servers come from: one implementation for each mode. Implementations are thread-safe. */
interface ServerSource {

    /**
     * Starts or finds a server that no earlier call has returned.
     *
     * @param shared whether it serves the whole JVM, so that nobody may stop it
     * @return a running server
     */
    PostgresServer next(boolean shared);

    /**
     * How many shared servers the JVM should have.
     *
     * @return at least 1
     */
    int sharedServers();
}
