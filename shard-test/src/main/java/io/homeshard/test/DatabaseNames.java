package io.homeshard.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.regex.Pattern;

/** Creates databases under names that no one else uses. */
final class DatabaseNames {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    private DatabaseNames() {}

    /** Random and not counted: an external server may serve several JVMs at once. */
    static String fresh(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("prefix must match " + PREFIX + ", was " + prefix);
        }
        return prefix + "_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    }

    static Database create(ServerAddress address, String prefix) {
        String name = fresh(prefix);
        try (Connection admin = address.dataSource(address.admin()).getConnection();
                Statement statement = admin.createStatement()) {
            ServerVersion.require(admin, address);
            statement.execute("CREATE DATABASE " + name + " TEMPLATE template0");
            return new Database(address, name);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "test server - database not created (database=" + name + ", server=" + address + ")", e);
        }
    }
}
