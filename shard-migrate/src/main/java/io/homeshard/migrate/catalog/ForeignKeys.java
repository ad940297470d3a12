package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads which table refers to which; a key on a partition counts for the partitioned table. */
final class ForeignKeys {
    // what a server makes for the partitions of a key's parent has conparentid; a key that is not enforced orders
    // nothing, and only PostgreSQL 18 has the column that says so
    private static final String KEYS = """
            SELECT f.conname, cn.nspname AS child_schema, c.relname AS child, pn.nspname AS parent_schema,
                   p.relname AS parent, f.condeferrable, f.convalidated,
                   ARRAY(SELECT a.attname::text FROM unnest(f.conkey) WITH ORDINALITY k(num, ord)
                           JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.num ORDER BY k.ord) AS own,
                   ARRAY(SELECT a.attname::text FROM unnest(f.confkey) WITH ORDINALITY k(num, ord)
                           JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.num ORDER BY k.ord) AS their
              FROM pg_constraint f
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(f.conrelid), f.conrelid)
              JOIN pg_namespace cn ON cn.oid = c.relnamespace
              JOIN pg_class p ON p.oid = coalesce(pg_partition_root(f.confrelid), f.confrelid)
              JOIN pg_namespace pn ON pn.oid = p.relnamespace
             WHERE f.contype = 'f' AND f.conparentid = 0
               AND coalesce((to_jsonb(f) ->> 'conenforced')::boolean, true)
             ORDER BY cn.nspname COLLATE "C", c.relname COLLATE "C", f.conname COLLATE "C", f.conrelid
            """;

    private ForeignKeys() {}

    /** All foreign keys of the database, by table and name. */
    static List<ForeignKey> read(Connection connection) throws SQLException {
        return Jdbc.list(connection, KEYS, ForeignKeys::key);
    }

    private static ForeignKey key(ResultSet row) throws SQLException {
        return new ForeignKey(
                row.getString("conname"),
                new TableName(row.getString("child_schema"), row.getString("child")),
                names(row, "own"),
                new TableName(row.getString("parent_schema"), row.getString("parent")),
                names(row, "their"),
                row.getBoolean("condeferrable"),
                row.getBoolean("convalidated"));
    }

    private static List<String> names(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
