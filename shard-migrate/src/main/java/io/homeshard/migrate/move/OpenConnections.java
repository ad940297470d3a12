package io.homeshard.migrate.move;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that a mover has open, so that another thread can break a step off that hangs on one of them: closing
 * a connection politely would wait for the step. Thread-safe.
 */
final class OpenConnections {
    private static final Logger log = LoggerFactory.getLogger(OpenConnections.class);
    private final UUID move;

    /** Whether the connection serves the way forward, which ends when the move is cancelled; undoing goes on then. */
    private final Map<Connection, Boolean> open = new ConcurrentHashMap<>();

    OpenConnections(UUID move) {
        this.move = move;
    }

    void add(Connection connection, boolean forward) {
        open.put(connection, forward);
    }

    void remove(Connection connection) {
        open.remove(connection);
    }

    void abortForward() {
        open.forEach((connection, forward) -> {
            if (forward) {
                abort(connection);
            }
        });
    }

    void abortAll() {
        open.keySet().forEach(this::abort);
    }

    private void abort(Connection connection) {
        open.remove(connection);
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.warn("move {} - session was not broken off", move, e);
        }
    }
}
