package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Unique keys without the tenant column: values of two tenants may be equal as long as they live on different shards,
 * and collide when one moves to the other. Random values ({@code uuid}) are left alone.
 */
final class UniqueKeys implements SideCheck {
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

    private record Key(TableName table, String name, List<String> columns) {}

    @Override
    public List<Finding> find(Side side) throws SQLException {
        Map<TableName, String> tenantColumns = new TreeMap<>();
        side.catalog().tables().forEach(table -> tenantColumns.put(table.name(), table.tenantColumn()));
        return Jdbc.list(
                        side.connection(),
                        KEYS,
                        row -> new Key(
                                new TableName(row.getString(1), row.getString(2)), row.getString(3), List.of((String[])
                                        row.getArray(4).getArray())))
                .stream()
                .filter(key -> tenantColumns.containsKey(key.table())
                        && !key.columns().contains(tenantColumns.get(key.table())))
                .map(key -> finding(side.shard(), key))
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
