package io.homeshard.test;

import java.util.List;

/** A database of a cluster and the server on which it lies. */
record ClusterMember(Database database, PostgresServer server) {

    static ClusterMember on(PostgresServer server, String prefix) {
        return new ClusterMember(server.createDatabase(prefix), server);
    }

    /** Drops the database; a server that failed to do so is not lent to the next test. */
    void remove(boolean lent) {
        if (lent && server instanceof EmbeddedServer stopped) {
            stopped.start();
        }
        database.drop();
        if (lent) {
            PostgresServers.release(List.of(server));
        }
    }
}
