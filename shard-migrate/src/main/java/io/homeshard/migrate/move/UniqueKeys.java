package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Unique keys without the tenant column: values of two tenants may be equal as long as they live on different shards,
 * and collide when one moves to the other. Random values ({@code uuid}) are left alone.
 */
record UniqueKeys(Connection connection, ShardId shard) {
    private static final String KEYS = """
            SELECT n.nspname, c.relname, k.relname, array_agg(a.attname::text)
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

    /** A unique index. */
    private record Key(TableName table, String name, List<String> columns) {}

    List<Finding> read(TenantCatalog catalog) throws SQLException {
        List<Key> keys = Jdbc.list(
                connection,
                KEYS,
                row -> new Key(new TableName(row.getString(1), row.getString(2)), row.getString(3), List.of((String[])
                        row.getArray(4).getArray())));
        List<Finding> findings = new ArrayList<>();
        for (TenantTable table : catalog.tables()) {
            for (Key key : keys) {
                if (key.table().equals(table.name()) && !key.columns().contains(table.tenantColumn())) {
                    findings.add(Finding.warning(
                                    "unique-without-tenant",
                                    shard,
                                    "unique key " + key.name() + " on " + key.columns()
                                            + " lacks the tenant column: rows of the tenant may collide with others there",
                                    "put the tenant column into the key, or accept that the move may be undone")
                            .in(table.name()));
                }
            }
        }
        return findings;
    }
}
