package io.homeshard.test;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Removes a database together with what would make {@code DROP DATABASE} fail. */
final class DatabaseDrop {
    private static final String EXISTS = "SELECT 1 FROM pg_database WHERE datname = ?";

    private static final String END_SESSIONS = """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
             WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            """;

    /** A prepared transaction can be ended in its own database only. */
    private static final String PREPARED = """
            SELECT format('ROLLBACK PREPARED %L', gid) FROM pg_prepared_xacts WHERE database = current_database()
            """;

    /** The slot of a subscription may be on a server that is gone: it goes with the database that publishes. */
    private static final String SUBSCRIPTIONS = """
            SELECT format(c.command, s.subname)
              FROM pg_subscription s,
                   (VALUES (1, 'ALTER SUBSCRIPTION %I DISABLE'),
                           (2, 'ALTER SUBSCRIPTION %I SET (slot_name = NONE)'),
                           (3, 'DROP SUBSCRIPTION %I')) AS c (step, command)
             WHERE s.subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
             ORDER BY s.subname, c.step
            """;

    private static final String END_SLOT_READERS = """
            SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots
             WHERE database = current_database() AND active_pid IS NOT NULL
            """;

    private static final String DROP_SLOTS = """
            SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()
            """;

    /** A pool that a test forgot may connect again between two of the statements. */
    private static final int ATTEMPTS = 3;

    private DatabaseDrop() {}

    static void drop(ServerAddress address, String name) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                dropOnce(address, name);
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void dropOnce(ServerAddress address, String name) throws SQLException {
        try (Connection admin = address.dataSource(address.admin()).getConnection()) {
            if (!exists(admin, name)) {
                return;
            }
            try (Connection inside = address.dataSource(name).getConnection()) {
                clear(inside);
            }
            try (Statement statement = admin.createStatement()) {
                statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            }
        }
    }

    /** Removes what may hold the database or another one of the same test, and ends all sessions but the caller's. */
    private static void clear(Connection inside) throws SQLException {
        try (Statement statement = inside.createStatement()) {
            statement.execute(END_SESSIONS);
            for (String command : texts(statement, PREPARED)) {
                statement.execute(command);
            }
            for (String command : texts(statement, SUBSCRIPTIONS)) {
                statement.execute(command);
            }
            statement.execute(END_SLOT_READERS);
            statement.execute(DROP_SLOTS);
        }
    }

    private static boolean exists(Connection admin, String name) throws SQLException {
        try (PreparedStatement statement = admin.prepareStatement(EXISTS)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static List<String> texts(Statement statement, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
