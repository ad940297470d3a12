package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sequences that tenant rows take values from. */
final class SequenceLines {
    private static final String LINES = """
            SELECT 'SEQUENCE' AS kind, quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS object, n.nspname AS s,
                   c.relname AS t, NULL AS col,
                   concat_ws(' ', format_type(q.seqtypid, NULL), CASE WHEN q.seqincrement > 0 THEN 'up' ELSE 'down' END,
                             CASE WHEN q.seqcycle THEN 'CYCLE' END) AS text
              FROM pg_sequence q JOIN pg_class c ON c.oid = q.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            """;

    private SequenceLines() {}

    static List<SchemaLine> read(Connection connection, List<TableSequence> sequences) throws SQLException {
        Set<TableName> ours = new HashSet<>();
        sequences.forEach(sequence -> ours.add(sequence.name()));
        return Jdbc.list(connection, LINES, SchemaReading::line).stream()
                .filter(line -> ours.contains(line.table()))
                .toList();
    }
}
