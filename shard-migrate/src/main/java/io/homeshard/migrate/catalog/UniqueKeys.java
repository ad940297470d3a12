package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Unique keys without the tenant column: values of two tenants may be equal as long as they live on different shards,
 * and collide when one moves to the other. Random values ({@code uuid}) are left alone.
 */
public final class UniqueKeys {
    private static final String KEYS = """
            SELECT n.nspname, c.relname, k.relname, array_agg(a.attname::text ORDER BY a.attnum)
              FROM pg_catalog.pg_index i
              JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
              JOIN pg_catalog.pg_class k ON k.oid = i.indexrelid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])
             WHERE i.indisunique AND NOT c.relispartition
             GROUP BY i.indexrelid, n.nspname, c.relname, k.relname
            HAVING NOT bool_or(a.atttypid = 'pg_catalog.uuid'::pg_catalog.regtype)
             ORDER BY 1, 2, 3
            """;

    private UniqueKeys() {}

    private record Key(TableName table, String name, List<String> columns) {}

    /**
     * Looks at one shard.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it
     * @param catalog its tenant tables
     * @return a warning for each such key, by table and key; empty when there is none
     * @throws SQLException as the driver says
     */
    public static List<Finding> withoutTenant(ShardId shard, Connection connection, TenantCatalog catalog)
            throws SQLException {
        Map<TableName, String> tenantColumns = new TreeMap<>();
        catalog.tables().forEach(table -> tenantColumns.put(table.name(), table.tenantColumn()));
        return Jdbc.list(
                        connection,
                        KEYS,
                        row -> new Key(
                                new TableName(row.getString(1), row.getString(2)), row.getString(3), List.of((String[])
                                        row.getArray(4).getArray())))
                .stream()
                .filter(key -> tenantColumns.containsKey(key.table())
                        && !key.columns().contains(tenantColumns.get(key.table())))
                .map(key -> finding(shard, key))
                .toList();
    }

    private static Finding finding(ShardId shard, Key key) {
        return new Finding(
                Severity.WARNING,
                "unique-without-tenant",
                shard,
                key.table(),
                null,
                "unique key " + key.name() + " on " + key.columns()
                        + " lacks the tenant column, so that rows of two tenants may collide when one moves",
                "put the tenant column into the key, or accept that a move may be undone");
    }
}
