package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Asks the catalog about the tenant tables of one shard, all of them in one statement. */
final class Relations {
    /** Stands before a query: {@code tab (oid, s, t, col)}, the tenant tables with their tenant columns; 3 parameters. */
    static final String TENANT_TABLES = """
            WITH RECURSIVE tab AS (
              SELECT c.oid, w.s, w.t, w.col FROM unnest(?::text[], ?::text[], ?::text[]) w (s, t, col)
                JOIN pg_namespace n ON n.nspname = w.s
                JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.t)
            """;

    private Relations() {}

    /** Runs such a query about other tables than the tenant's; their tenant column is empty. */
    static <T> List<T> ask(Connection connection, Set<TableName> tables, String sql, Jdbc.RowReader<T> reader)
            throws SQLException {
        return Jdbc.list(
                connection,
                sql,
                reader,
                tables.stream().map(TableName::schema).toArray(String[]::new),
                tables.stream().map(TableName::name).toArray(String[]::new),
                tables.stream().map(table -> "").toArray(String[]::new));
    }

    /** Runs a query that begins with {@link #TENANT_TABLES}. */
    static <T> List<T> ask(Side side, String sql, Jdbc.RowReader<T> reader) throws SQLException {
        List<TableName> names =
                side.catalog().tables().stream().map(table -> table.name()).toList();
        return Jdbc.list(
                side.connection(),
                sql,
                reader,
                names.stream().map(TableName::schema).toArray(String[]::new),
                names.stream().map(TableName::name).toArray(String[]::new),
                side.catalog().tables().stream()
                        .map(table -> table.tenantColumn())
                        .toArray(String[]::new));
    }
}
