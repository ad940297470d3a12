package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows that are too long for the memory of a copy. The length of text and bytea is read off their headers, without
 * reading the values; other types are measured by what they occupy, and printed only where that is a lot, since they
 * are compressed by a factor of a hundred at most.
 */
final class LargestRows implements Check {
    private static final String WIDE = Relations.TENANT_TABLES + """
            , base(oid, root) AS (
              SELECT y.oid, y.oid FROM pg_type y WHERE y.typtype <> 'd'
              UNION ALL
              SELECT y.oid, b.root FROM pg_type y JOIN base b ON y.typbasetype = b.oid WHERE y.typtype = 'd')
            SELECT tab.s, tab.t, a.attname, r.typname, bool_or(a.atttypid >= 16384) OVER (PARTITION BY tab.oid) AS text
              FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN base b ON b.oid = a.atttypid JOIN pg_type r ON r.oid = b.root
             WHERE a.attgenerated = '' AND a.attlen < 0
             ORDER BY tab.s, tab.t, a.attnum
            """;

    /** Where it lies, so that somebody can look at it. */
    private static final String LARGEST = """
            SELECT %s AS hs_bytes, tableoid::regclass || ' ' || ctid FROM %s WHERE %s ORDER BY hs_bytes DESC LIMIT 1
            """;

    /** No message of the protocol, and no value of PostgreSQL, is longer. */
    private static final long LONGEST = (1L << 30) - 1;

    private static final long MIB = 1L << 20;
    private static final long COMPRESSION = 100;

    private record Wide(TableName table, String column, String type, boolean text) {}

    private record Largest(long bytes, String where) {}

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        long limit = scene.parts().limits().maxRowBytes();
        Map<TableName, List<Wide>> wide = new HashMap<>();
        for (Wide column : Relations.ask(
                scene.source(),
                WIDE,
                row -> new Wide(
                        new TableName(row.getString(1), row.getString(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getBoolean(5)))) {
            wide.computeIfAbsent(column.table(), table -> new ArrayList<>()).add(column);
        }
        List<Finding> findings = new ArrayList<>();
        for (TenantTable table : scene.source().catalog().tables()) {
            List<Wide> columns = wide.getOrDefault(table.name(), List.of());
            if (!columns.isEmpty()) {
                String sql = LARGEST.formatted(size(columns, limit), table.from(), TenantRows.condition(table));
                for (Largest row : Jdbc.list(
                        scene.source().connection(),
                        sql,
                        row -> new Largest(row.getLong(1), row.getString(2)),
                        TenantRows.parameters(scene.tenant()))) {
                    if (row.bytes() > limit) {
                        findings.add(finding(scene, table, row));
                    }
                }
            }
        }
        return findings;
    }

    private static String size(List<Wide> columns, long limit) {
        List<String> sizes = new ArrayList<>();
        for (Wide column : columns) {
            String name = Identifiers.quote(column.column());
            sizes.add(
                    switch (column.type()) {
                        case "text", "varchar", "bpchar", "citext", "xml" ->
                            "coalesce(octet_length(" + name + "::text), 0)::bigint";
                        // in text form each byte is two digits
                        case "bytea" -> "coalesce(octet_length(" + name + "), 0)::bigint * " + (column.text() ? 2 : 1);
                        default ->
                            "CASE WHEN pg_column_size(" + name + ") > " + limit / COMPRESSION / columns.size()
                                    + " THEN octet_length(" + name + "::text)::bigint ELSE coalesce(pg_column_size("
                                    + name
                                    + "), 0) END";
                    });
        }
        return String.join(" + ", sizes);
    }

    private static Finding finding(Scene scene, TenantTable table, Largest row) {
        long heap = 2 * (row.bytes() / MIB + 1) + 64;
        long limit = scene.parts().limits().maxRowBytes();
        boolean impossible = row.bytes() > LONGEST;
        return new Finding(
                Severity.ERROR,
                "row-too-large",
                scene.source().shard(),
                table.name(),
                null,
                "the tenant's largest row takes about " + row.bytes() + " bytes on its way, "
                        + (impossible ? "PostgreSQL sends at most " + LONGEST : "maxRowBytes is " + limit) + " (row="
                        + row.where() + ")",
                impossible
                        ? "split the row's values"
                        : "set maxRowBytes to at least " + row.bytes() + " in a JVM with a heap of " + heap
                                + " MiB or more, or shorten the row");
    }
}
