package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How long a mover's session may take. The server bounds locks, statements and idling; when the network is gone it
 * cannot say so, hence this side bounds the silence as well.
 */
final class SessionLimits {
    private static final String SETTINGS = """
            SELECT set_config('row_security', 'off', false),
                   set_config('synchronous_commit', 'on', false),
                   set_config('lock_timeout', ?, false),
                   set_config('statement_timeout', ?, false),
                   set_config('idle_in_transaction_session_timeout', ?, false)
            """;

    private SessionLimits() {}

    /** For steps that touch few rows. */
    static void apply(Connection connection, MoveConfig config) throws SQLException {
        forSteps(connection, config);
        Jdbc.run(
                connection,
                SETTINGS,
                millis(config.steps().lock()),
                millis(config.steps().statement()),
                millis(config.lease().duration()));
    }

    static void forSteps(Connection connection, MoveConfig config) throws SQLException {
        silence(connection, config.steps().answer());
    }

    /** For statements that may work on many rows before they say anything; the server is to give up first. */
    static void forManyRows(Connection connection, MoveConfig config) throws SQLException {
        silence(connection, config.steps().statement().plus(config.steps().answer()));
    }

    /** For a session that is asked for signs of life by the thread that renews the lease: it must not be lost meanwhile. */
    static void forSignsOfLife(Connection connection, MoveConfig config) throws SQLException {
        Duration spare = config.lease().duration().minus(config.lease().renewEvery());
        silence(
                connection,
                spare.compareTo(config.steps().answer()) < 0
                        ? spare
                        : config.steps().answer());
    }

    private static void silence(Connection connection, Duration longest) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, longest.toMillis()));
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
