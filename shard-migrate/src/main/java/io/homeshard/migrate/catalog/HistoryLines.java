package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which scripts of the application have run, by its own Flyway history. The table is known by its columns, for it may
 * have any name; one that the role may not read is passed over.
 */
final class HistoryLines {
    private static final String TABLES = """
            SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'r' AND n.nspname <> 'homeshard' AND n.nspname !~ '^pg_'
               AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
               AND (SELECT count(*) = 6 FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                       AND a.attname IN ('installed_rank', 'version', 'type', 'script', 'checksum', 'success'))
            """;

    // a repeatable script runs again when it changed: its last run counts
    private static final String LINES = """
            SELECT DISTINCT ON (coalesce(h.version, h.script)) 'HISTORY' AS kind, coalesce('version ' || h.version, h.script) AS object,
                   ? AS s, ? AS t, NULL AS col,
                   concat_ws(' ', h.type, h.script, 'checksum', h.checksum,
                             CASE WHEN NOT h.success THEN 'failed' END) AS text
              FROM %s h ORDER BY coalesce(h.version, h.script), h.installed_rank DESC
            """;

    private HistoryLines() {}

    static List<SchemaLine> read(Connection connection) throws SQLException {
        List<SchemaLine> lines = new ArrayList<>();
        for (TableName table :
                Jdbc.list(connection, TABLES, row -> new TableName(row.getString(1), row.getString(2)))) {
            lines.addAll(Jdbc.list(
                    connection,
                    LINES.formatted(Identifiers.quote(table)),
                    SchemaReading::line,
                    table.schema(),
                    table.name()));
        }
        return lines;
    }
}
