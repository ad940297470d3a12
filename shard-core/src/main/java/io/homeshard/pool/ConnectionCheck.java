package io.homeshard.pool;

import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;

/** Looks at each new physical connection before anybody may use it. Thread-safe. */
@FunctionalInterface
public interface ConnectionCheck {
    /**
     * Checks one connection.
     *
     * @param connection new, in autocommit
     * @param shard whose connection it should be
     * @throws SQLException when it must not be used
     */
    void check(Connection connection, Shard shard) throws SQLException;
}
