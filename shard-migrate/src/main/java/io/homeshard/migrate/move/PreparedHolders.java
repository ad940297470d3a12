package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Prepared transactions that hold a tenant: its freeze waits for them until somebody ends them. */
final class PreparedHolders {
    private static final String PREPARED = "SELECT * FROM homeshard.prepared_holders(?)";

    private PreparedHolders() {}

    /** Their names on a shard. */
    static List<String> read(Connection shard, TenantId tenant) throws SQLException {
        return Jdbc.list(shard, PREPARED, row -> row.getString(1), tenant.value());
    }
}
