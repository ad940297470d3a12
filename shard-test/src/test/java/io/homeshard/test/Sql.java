package io.homeshard.test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements of the tests in one line. */
final class Sql {
    private Sql() {}

    static void run(Database database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static String text(Database database, String query) throws SQLException {
        try (Connection connection = database.connect()) {
            return text(connection, query);
        }
    }

    static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
