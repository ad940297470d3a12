package io.homeshard.tenants;

import io.homeshard.directory.Provisioning;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Shard;
import io.homeshard.pool.ShardPools;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection to a shard for the steps of one creation: apart from the pool, under the operation's name, so that a
 * successor can end it, and bounded in every wait.
 */
final class ShardSession {
    /** Longer than the server's own limits, so that only a dead connection meets it. */
    private static final int ANSWER_MILLIS = 15_000;

    private static final String LIMITS = """
            SELECT set_config('lock_timeout', '5s', false), set_config('statement_timeout', '10s', false)""";

    /** Looking through a large table that has no index takes its time; the server is to give up first. */
    private static final int MANY_ROWS_MILLIS = 30 * 60_000;

    private static final String STATEMENT = "SELECT set_config('statement_timeout', ?, false)";

    private ShardSession() {}

    static Connection open(ShardPools pools, Shard shard, MoverToken token) throws SQLException {
        Connection connection = pools.open(shard, WriteGuard.applicationName(token));
        try {
            connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            Jdbc.run(connection, LIMITS);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** From here on for steps that look into all tables, or delete from them. */
    static void forManyRows(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, MANY_ROWS_MILLIS + ANSWER_MILLIS);
        Jdbc.run(connection, STATEMENT, MANY_ROWS_MILLIS + "ms");
    }

    /** A creation has one attempt: it copies nothing. */
    static MoverToken token(Provisioning operation) {
        return new MoverToken(operation.tenant(), operation.operation(), operation.epoch(), 1);
    }
}
