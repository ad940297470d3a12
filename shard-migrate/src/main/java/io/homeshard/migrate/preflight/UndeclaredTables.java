package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Every table must be known to the declaration: rows of one that is not would stay behind. */
final class UndeclaredTables implements SideCheck {
    // Flyway's own table is known by its columns: an application may give it any name
    private static final String TABLES = """
            SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY (?::text[])
               AND NOT (SELECT count(*) = 4 FROM pg_attribute a WHERE a.attrelid = c.oid
                           AND a.attname IN ('installed_rank', 'script', 'checksum', 'success'))
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    // a key on a partition counts for the partitioned table
    private static final String EDGES = """
            SELECT DISTINCT cn.nspname, c.relname, pn.nspname, p.relname
              FROM pg_constraint f
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(f.conrelid), f.conrelid)
              JOIN pg_namespace cn ON cn.oid = c.relnamespace
              JOIN pg_class p ON p.oid = coalesce(pg_partition_root(f.confrelid), f.confrelid)
              JOIN pg_namespace pn ON pn.oid = p.relnamespace
             WHERE f.contype = 'f'
            """;

    private record Edge(TableName child, TableName parent) {}

    @Override
    public List<Finding> find(Side side) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        Set<TableName> known = new HashSet<>(side.schema().referenceTables());
        known.addAll(side.schema().ignoredTables());
        side.catalog().tables().forEach(table -> known.add(table.name()));
        Set<TableName> children = new HashSet<>();
        for (Edge edge : Jdbc.list(side.connection(), EDGES, row -> new Edge(table(row), parent(row)))) {
            if (side.catalog().tables().stream().anyMatch(table -> table.name().equals(edge.parent()))) {
                children.add(edge.child());
            }
        }
        Set<TableName> tables = new TreeSet<>(Jdbc.list(side.connection(), TABLES, UndeclaredTables::table, (Object)
                side.schema().schemas().toArray(String[]::new)));
        // what refers to a tenant's rows belongs to it, in whatever schema
        tables.addAll(children);
        for (TableName table : tables) {
            if (!known.contains(table)) {
                findings.add(children.contains(table) ? orphan(side, table) : unknown(side, table));
            }
        }
        return findings;
    }

    private static Finding orphan(Side side, TableName table) {
        return new Finding(
                Severity.ERROR,
                "child-without-tenant",
                side.shard(),
                table,
                null,
                "refers to a tenant table but has no tenant column, so that its rows would stay behind",
                "ALTER TABLE " + Identifiers.quote(table) + " ADD COLUMN "
                        + Identifiers.quote(side.schema().tenantColumn())
                        + " with the type of the parent's, fill it, and put it into the foreign key");
    }

    private static Finding unknown(Side side, TableName table) {
        return new Finding(
                Severity.ERROR,
                "undeclared-table",
                side.shard(),
                table,
                null,
                "has no tenant column and is declared as neither reference nor ignored",
                "declare it in the TenantSchema as reference or ignored, or give it the tenant column");
    }

    private static TableName parent(ResultSet row) throws SQLException {
        return new TableName(row.getString(3), row.getString(4));
    }

    private static TableName table(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }
}
