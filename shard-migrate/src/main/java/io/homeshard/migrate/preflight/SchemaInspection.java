package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What in the tables of a shard would make moves stumble, whoever the tenant is: for those who write the schema. */
public final class SchemaInspection {
    private static final List<SideCheck> CHECKS = List.of(
            new TenantTypes(), new TenantIndexes(), new UndeclaredTables(), new SequenceCaches(), new UniqueKeys());

    private SchemaInspection() {}

    /**
     * Looks at one shard.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it, in autocommit; left so
     * @param schema the declaration
     * @param catalog what {@link TenantCatalog#read} gave for it
     * @return the findings, by kind and table; empty when all is well
     * @throws SQLException as the driver says
     */
    public static List<Finding> inspect(
            ShardId shard, Connection connection, TenantSchema schema, TenantCatalog catalog) throws SQLException {
        Side side = new Side(shard, connection, schema, catalog);
        return PinnedTransaction.read(connection, session -> {
            List<Finding> findings = new ArrayList<>();
            for (SideCheck check : CHECKS) {
                findings.addAll(check.find(side));
            }
            return List.copyOf(findings);
        });
    }
}
