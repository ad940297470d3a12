package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.ForeignKey;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rows that the tenant's rows point at and that do not move with them: they must be on the target, and be the same.
 * Other differences of reference tables concern the tenant only by what it does later.
 */
final class ReferenceTables implements Check {
    private static final String PRESENT = "SELECT to_regclass(?) IS NOT NULL";
    private static final String COLUMNS = """
            SELECT a.attname FROM pg_attribute a
             WHERE a.attrelid = ?::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname COLLATE "C"
            """;
    private static final String CONTENT = """
            SELECT count(*) || ' ' || coalesce(sum(hashtextextended(ROW(%2$s)::text, 0)::numeric), 0) FROM %1$s
            """;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        Set<TableName> told = pointedAt(scene, findings);
        for (TableName table : new TreeSet<>(scene.parts().tables().referenceTables())) {
            if (!told.contains(table) && !content(scene.source(), table).equals(content(scene.target(), table))) {
                findings.add(Finding.warning(
                                "reference-differs",
                                scene.target().shard(),
                                "reference table holds other rows than on the source, none that the tenant points at",
                                "bring it up to date, or accept that the tenant will see other rows")
                        .in(table));
            }
        }
        return findings;
    }

    private static Set<TableName> pointedAt(Scene scene, List<Finding> findings) throws SQLException {
        Map<TableName, TenantTable> tables = new HashMap<>();
        scene.source().catalog().tables().forEach(table -> tables.put(table.name(), table));
        Set<TableName> told = new HashSet<>();
        for (ForeignKey key : scene.source().catalog().foreignKeys()) {
            TenantTable child = tables.get(key.child());
            if (child == null || tables.containsKey(key.parent()) || !present(scene.target(), key.parent())) {
                continue;
            }
            String columns = columns(scene.source().connection(), key.parent());
            if (!columns.equals(columns(scene.target().connection(), key.parent()))) {
                continue; // the comparison of the schemas says so
            }
            PointedRows.Difference difference = new PointedRows(key, child, columns).compare(scene);
            if (difference.missing() + difference.other() > 0) {
                findings.add(finding(scene, key, difference));
                told.add(key.parent());
            }
        }
        return told;
    }

    private static Finding finding(Scene scene, ForeignKey key, PointedRows.Difference difference) {
        return new Finding(
                Severity.ERROR,
                difference.missing() > 0 ? "reference-missing" : "reference-row-differs",
                scene.target().shard(),
                key.parent(),
                key.parentColumns().size() == 1 ? key.parentColumns().get(0) : null,
                "rows that the tenant's rows in " + key.child() + " point at by " + key.name()
                        + " are missing or different (missing=" + difference.missing() + ", different="
                        + difference.other() + ")",
                "bring the table up to date with the source's");
    }

    private static boolean present(Side side, TableName table) throws SQLException {
        return Jdbc.one(side.connection(), PRESENT, row -> row.getBoolean(1), Identifiers.quote(table));
    }

    private static String columns(Connection connection, TableName table) throws SQLException {
        return Jdbc.list(connection, COLUMNS, row -> row.getString(1), Identifiers.quote(table)).stream()
                .map(Identifiers::quote)
                .collect(Collectors.joining(", "));
    }

    private static String content(Side side, TableName table) throws SQLException {
        String name = Identifiers.quote(table);
        return present(side, table)
                ? Jdbc.one(
                        side.connection(),
                        CONTENT.formatted(name, columns(side.connection(), table)),
                        row -> row.getString(1))
                : "absent";
    }
}
