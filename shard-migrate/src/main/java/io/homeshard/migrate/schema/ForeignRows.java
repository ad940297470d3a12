package io.homeshard.migrate.schema;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Looks for tenants' rows in a database that no directory knows: somebody's data, and not of this directory. */
final class ForeignRows {
    private static final String TABLES = """
            SELECT n.nspname, c.relname FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = ? AND n.nspname = ANY (?::text[])
             ORDER BY 1, 2
            """;
    private static final String FILLED = "SELECT EXISTS (SELECT FROM %s)";

    private ForeignRows() {}

    /** The first table that has some. */
    static Optional<TableName> find(Connection shard, TenantSchema schema) throws SQLException {
        String[] schemas = schema.schemas().toArray(String[]::new);
        for (TableName table : Jdbc.list(
                shard,
                TABLES,
                row -> new TableName(row.getString(1), row.getString(2)),
                schema.tenantColumn(),
                schemas)) {
            boolean expected = schema.referenceTables().contains(table)
                    || schema.ignoredTables().contains(table);
            String filled = FILLED.formatted(Identifiers.quote(table));
            if (!expected && Jdbc.one(shard, filled, row -> row.getBoolean(1))) {
                return Optional.of(table);
            }
        }
        return Optional.empty();
    }
}
