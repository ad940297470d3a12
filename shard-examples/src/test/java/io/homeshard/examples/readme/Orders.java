package io.homeshard.examples.readme;

import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** The application's own code that the README speaks of: it takes a connection and knows no shard. */
final class Orders {
    private final TenantId tenant;

    Orders(TenantId tenant) {
        this.tenant = tenant;
    }

    void checkout(Connection connection, UUID cart) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO app.orders (tenant_id, order_id) VALUES (?, ?)")) {
            insert.setString(1, tenant.value());
            insert.setObject(2, cart);
            insert.executeUpdate();
        }
    }
}
