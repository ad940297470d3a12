package io.homeshard.migrate.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections that a copy has in use, all to be broken off when it fails. Thread-safe. */
final class OpenSessions {
    private static final Logger log = LoggerFactory.getLogger(OpenSessions.class);

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as the flag is. */
    private final List<Connection> open = new ArrayList<>();

    private boolean aborted;

    /** Returns whether the connection may be used; it was broken off when the copy has failed already. */
    boolean add(Connection connection) {
        lock.lock();
        try {
            if (!aborted) {
                open.add(connection);
                return true;
            }
        } finally {
            lock.unlock();
        }
        abort(connection);
        return false;
    }

    /** Breaks off what the other streams wait for. */
    void abortAllBut(Connection source, Connection target) {
        List<Connection> all;
        lock.lock();
        try {
            aborted = true;
            all = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        for (Connection connection : all) {
            if (connection != source && connection != target) {
                abort(connection);
            }
        }
    }

    /** A polite close would wait for the rest of the stream. */
    static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            log.debug("session was not broken off", e);
        }
    }
}
