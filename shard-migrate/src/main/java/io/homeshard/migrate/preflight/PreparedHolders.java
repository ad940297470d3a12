package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Prepared transactions that hold a tenant: its freeze waits for them until somebody ends them. */
public final class PreparedHolders {
    private static final String PREPARED = "SELECT * FROM homeshard.prepared_holders(?)";

    private PreparedHolders() {}

    /**
     * Looks for them.
     *
     * @param shard a connection to the shard
     * @param tenant the tenant
     * @return their names on the shard, sorted
     * @throws SQLException as the driver says
     */
    public static List<String> read(Connection shard, TenantId tenant) throws SQLException {
        return Jdbc.list(shard, PREPARED, row -> row.getString(1), tenant.value());
    }
}
