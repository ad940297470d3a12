package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the tenant tables of a declaration, by name. */
final class CatalogTables {
    // "base" leads from each type through all domains down to the type that the values have
    private static final String COLUMNS = """
            WITH RECURSIVE base(oid, root) AS (
              SELECT t.oid, t.oid FROM pg_type t WHERE t.typtype <> 'd'
              UNION ALL
              SELECT t.oid, b.root FROM pg_type t JOIN base b ON t.typbasetype = b.oid WHERE t.typtype = 'd')
            SELECT n.nspname, c.relname, c.relkind = 'p' AS partitioned, a.attname,
                   format_type(a.atttypid, a.atttypmod) AS type, a.attgenerated <> '' AS generated,
                   a.attidentity = 'a' AS always, format_type(b.root, -1) AS root,
                   coalesce((SELECT s.nspname FROM pg_operator o JOIN pg_namespace s ON s.oid = o.oprnamespace
                              WHERE o.oprname = '=' AND o.oprleft = b.root AND o.oprright = b.root
                              ORDER BY s.nspname <> 'pg_catalog', s.nspname LIMIT 1), 'pg_catalog') AS operators
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN base b ON b.oid = a.atttypid
             WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY (?::text[])
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", a.attnum
            """;

    private CatalogTables() {}

    private record Row(
            TableName table, boolean partitioned, TableColumn column, String baseType, String operatorSchema) {}

    /** The tables as a declaration alone resolves: those that have the column. */
    static List<TenantTable> read(Connection connection, TenantSchema schema) throws SQLException {
        return read(connection, schema, (name, rows) -> column(name, rows, schema), schemas(schema));
    }

    /** The tables as the shard has resolved them: the tenant column of each. */
    static List<TenantTable> read(Connection connection, TenantSchema schema, Map<TableName, String> columns)
            throws SQLException {
        Set<String> schemas = new TreeSet<>(List.of(schemas(schema)));
        columns.keySet().forEach(table -> schemas.add(table.schema()));
        return read(connection, schema, (name, rows) -> columns.get(name), schemas.toArray(String[]::new));
    }

    /** Names the tenant column of a table, or null when the table is no tenant table. */
    private interface Resolution {
        @Nullable
        String column(TableName name, List<Row> rows);
    }

    private static List<TenantTable> read(
            Connection connection, TenantSchema schema, Resolution resolution, String[] schemas) throws SQLException {
        Map<TableName, List<Row>> byTable = new LinkedHashMap<>();
        for (Row row : Jdbc.list(connection, COLUMNS, CatalogTables::row, (Object) schemas)) {
            byTable.computeIfAbsent(row.table(), name -> new ArrayList<>()).add(row);
        }
        refuseAbsent(schema, byTable.keySet());
        List<TenantTable> tables = new ArrayList<>();
        for (Map.Entry<TableName, List<Row>> entry : byTable.entrySet()) {
            String column = resolution.column(entry.getKey(), entry.getValue());
            if (column != null) {
                tables.add(table(entry.getKey(), entry.getValue(), column));
            }
        }
        return tables;
    }

    /** All schemas in which the declaration has tables. */
    static String[] schemas(TenantSchema schema) {
        Set<String> names = new TreeSet<>(schema.schemas());
        schema.tenantTables().keySet().forEach(table -> names.add(table.schema()));
        schema.referenceTables().forEach(table -> names.add(table.schema()));
        return names.toArray(String[]::new);
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new TableName(row.getString("nspname"), row.getString("relname")),
                row.getBoolean("partitioned"),
                new TableColumn(
                        row.getString("attname"),
                        row.getString("type"),
                        row.getBoolean("generated"),
                        row.getBoolean("always")),
                row.getString("root"),
                row.getString("operators"));
    }

    private static void refuseAbsent(TenantSchema schema, Set<TableName> present) {
        Set<TableName> declared = new TreeSet<>(schema.tenantTables().keySet());
        declared.addAll(schema.referenceTables());
        declared.removeAll(present);
        if (!declared.isEmpty()) {
            throw new CatalogException(
                    "tables " + declared + " - are declared but absent; roll the schema out or mend the declaration");
        }
    }

    private static @Nullable String column(TableName name, List<Row> rows, TenantSchema schema) {
        if (schema.referenceTables().contains(name) || schema.ignoredTables().contains(name)) {
            return null;
        }
        String own = schema.tenantTables().get(name);
        if (own != null) {
            return own;
        }
        boolean has = schema.schemas().contains(name.schema())
                && rows.stream().anyMatch(row -> row.column().name().equals(schema.tenantColumn()));
        return has ? schema.tenantColumn() : null;
    }

    private static TenantTable table(TableName name, List<Row> rows, String wanted) {
        for (Row row : rows) {
            if (row.column().name().equals(wanted)) {
                TenantColumn tenant = new TenantColumn(wanted, row.baseType(), row.operatorSchema());
                List<TableColumn> columns = rows.stream().map(Row::column).toList();
                return new TenantTable(name, tenant, columns, row.partitioned());
            }
        }
        throw new CatalogException("table " + name + " - has no column " + wanted + ", which is declared as its tenant"
                + " column; mend the declaration");
    }
}
