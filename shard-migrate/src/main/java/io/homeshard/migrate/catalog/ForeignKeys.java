package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads which table refers to which; a key on a partition counts for the partitioned table. */
final class ForeignKeys {
    private static final String EDGES = """
            SELECT DISTINCT cn.nspname AS child_schema, c.relname AS child, pn.nspname AS parent_schema, p.relname AS parent
              FROM pg_constraint f
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(f.conrelid), f.conrelid)
              JOIN pg_namespace cn ON cn.oid = c.relnamespace
              JOIN pg_class p ON p.oid = coalesce(pg_partition_root(f.confrelid), f.confrelid)
              JOIN pg_namespace pn ON pn.oid = p.relnamespace
             WHERE f.contype = 'f'
            """;

    private ForeignKeys() {}

    /**
     * One table's rows refer to another's.
     *
     * @param child the table with the key
     * @param parent the table it refers to
     */
    record Edge(TableName child, TableName parent) {}

    static List<Edge> read(Connection connection) throws SQLException {
        return Jdbc.list(connection, EDGES, ForeignKeys::edge);
    }

    private static Edge edge(ResultSet row) throws SQLException {
        return new Edge(
                new TableName(row.getString("child_schema"), row.getString("child")),
                new TableName(row.getString("parent_schema"), row.getString("parent")));
    }
}
