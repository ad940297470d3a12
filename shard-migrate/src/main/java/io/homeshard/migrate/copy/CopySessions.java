package io.homeshard.migrate.copy;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens further sessions for the streams that run beside the first; each asks in its own thread. Thread-safe. */
public interface CopySessions {
    /**
     * Another session on the source, to the same server as the first: it takes over a snapshot of that one.
     *
     * @return physical or unwrappable to pgjdbc's, in autocommit
     * @throws SQLException when there is none to be had; the copy then makes do with the streams that it has
     */
    Connection source() throws SQLException;

    /**
     * Another session on the target.
     *
     * @return physical or unwrappable to pgjdbc's, in autocommit
     * @throws SQLException when there is none to be had; the copy then makes do with the streams that it has
     */
    Connection target() throws SQLException;

    /**
     * Takes a session back; it was broken off when the copy failed. What this throws is logged, and the copy goes on.
     *
     * @param session what this opened
     */
    void close(Connection session);
}
