package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a shard itself was told of the application's tables, and what its guard goes by. A mover goes by it too, and not
 * by the declaration of its own process, which may be older: what the guard protects and what a move copies, compares
 * and deletes must be the same tables.
 */
final class ShardDeclaration {
    private static final String PRESENT = "SELECT to_regprocedure('homeshard.tenant_relations()') IS NOT NULL";
    private static final String COLUMN = "SELECT tenant_column FROM homeshard.declaration";
    private static final String SCHEMAS = "SELECT unnest(schemas) FROM homeshard.declaration";
    private static final String NAMED =
            "SELECT kind, schema_name, table_name, tenant_column FROM homeshard.declared_table";
    private static final String BULK = "SELECT schema_name, table_name FROM homeshard.bulk_table";

    // a partition is read through its root
    private static final String RELATIONS = """
            SELECT n.nspname, c.relname, t.tenant_column, c.relispartition
              FROM homeshard.tenant_relations() t
              JOIN pg_class c ON c.oid = t.tab
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE t.root OR NOT c.relispartition
            """;

    private ShardDeclaration() {}

    private record Named(String kind, TableName table, String column) {}

    private record Relation(TableName table, String column, boolean partition) {}

    /** Whether the database is a shard, with Homeshard's own schema. */
    static boolean present(Connection connection) throws SQLException {
        return Jdbc.one(connection, PRESENT, row -> row.getBoolean(1));
    }

    /** The declaration as it was last handed to the shard; empty when none was. */
    static Optional<TenantSchema> read(Connection connection) throws SQLException {
        Optional<String> column = Jdbc.find(connection, COLUMN, row -> row.getString(1));
        if (column.isEmpty()) {
            return Optional.empty();
        }
        List<Named> named = Jdbc.list(
                connection,
                NAMED,
                row -> new Named(
                        row.getString(1), new TableName(row.getString(2), row.getString(3)), row.getString(4)));
        Map<TableName, String> tenants = new TreeMap<>();
        named.stream().filter(n -> n.kind().equals("tenant")).forEach(n -> tenants.put(n.table(), n.column()));
        List<String> schemas = Jdbc.list(connection, SCHEMAS, row -> row.getString(1));
        List<TableName> bulk = Jdbc.list(connection, BULK, row -> new TableName(row.getString(1), row.getString(2)));
        return Optional.of(new TenantSchema(
                column.get(), schemas, tenants, of(named, "reference"), of(named, "ignored"), Set.copyOf(bulk)));
    }

    private static Set<TableName> of(List<Named> named, String kind) {
        return named.stream()
                .filter(n -> n.kind().equals(kind))
                .map(Named::table)
                .collect(Collectors.toSet());
    }

    /** The tenant column of each table to copy: whatever the guard is on, a partition within its root. */
    static Map<TableName, String> tables(Connection connection) throws SQLException {
        Map<TableName, String> columns = new TreeMap<>();
        for (Relation relation : Jdbc.list(
                connection,
                RELATIONS,
                row -> new Relation(
                        new TableName(row.getString(1), row.getString(2)), row.getString(3), row.getBoolean(4)))) {
            if (relation.partition()) {
                throw new CatalogException("table " + relation.table()
                        + " - is a partition of a table that is not declared; declare the partitioned table itself");
            }
            columns.put(relation.table(), relation.column());
        }
        return columns;
    }
}
