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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows older than a NOT VALID constraint may break it where they are, but cannot be written anew on the target. */
final class UnvalidatedRows implements Check {
    // NOT NULL is a constraint that may be NOT VALID from PostgreSQL 18 on
    private static final String CONSTRAINTS = Relations.TENANT_TABLES + """
            SELECT tab.s, tab.t, k.conname, k.contype::text, pg_get_expr(k.conbin, k.conrelid) AS expression,
                   pn.nspname, p.relname,
                   (SELECT array_agg(a.attname::text ORDER BY x.n) FROM unnest(k.conkey) WITH ORDINALITY x (num, n)
                      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.num) AS columns,
                   (SELECT array_agg(a.attname::text ORDER BY x.n) FROM unnest(k.confkey) WITH ORDINALITY x (num, n)
                      JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = x.num) AS parents
              FROM tab JOIN pg_constraint k ON k.conrelid = tab.oid
              LEFT JOIN pg_class p ON p.oid = k.confrelid LEFT JOIN pg_namespace pn ON pn.oid = p.relnamespace
             WHERE NOT k.convalidated AND k.contype IN ('c', 'f', 'n') AND k.conparentid = 0
             ORDER BY tab.s COLLATE "C", tab.t COLLATE "C", k.conname COLLATE "C"
            """;

    private record Unvalidated(
            TableName table,
            String name,
            String kind,
            @Nullable String expression,
            @Nullable TableName parent,
            List<String> columns,
            List<String> parents) {}

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        Map<TableName, TenantTable> tables = new HashMap<>();
        scene.source().catalog().tables().forEach(table -> tables.put(table.name(), table));
        List<Finding> findings = new ArrayList<>();
        for (Unvalidated constraint : Relations.ask(scene.source(), CONSTRAINTS, row -> {
            String parent = row.getString("relname");
            return new Unvalidated(
                    new TableName(row.getString("s"), row.getString("t")),
                    row.getString("conname"),
                    row.getString("contype"),
                    row.getString("expression"),
                    parent == null ? null : new TableName(row.getString("nspname"), parent),
                    names(row.getArray("columns")),
                    names(row.getArray("parents")));
        })) {
            TenantTable table = tables.get(constraint.table());
            if (table != null) {
                find(scene, constraint, table).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private static List<String> names(java.sql.@Nullable Array array) throws SQLException {
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    private static Optional<Finding> find(Scene scene, Unvalidated constraint, TenantTable table) throws SQLException {
        try {
            boolean violated = constraint.expression() == null
                    ? violated(scene, constraint, table)
                    : OwnSearchPath.evaluate(scene, source -> violated(scene, constraint, table));
            return violated ? Optional.of(finding(scene, constraint)) : Optional.empty();
        } catch (ExpressionException e) {
            return Optional.of(e.finding(table.name(), "constraint " + constraint.name()));
        }
    }

    private static boolean violated(Scene scene, Unvalidated constraint, TenantTable table) throws SQLException {
        String broken = broken(constraint);
        return broken != null
                && Jdbc.one(
                        scene.source().connection(),
                        "SELECT EXISTS (SELECT FROM " + table.from() + " hs_c WHERE hs_c." + TenantRows.condition(table)
                                + " AND " + broken + ")",
                        row -> row.getBoolean(1),
                        TenantRows.parameters(scene.tenant()));
    }

    private static @Nullable String broken(Unvalidated constraint) {
        List<String> columns = constraint.columns().stream()
                .map(column -> "hs_c." + Identifiers.quote(column))
                .toList();
        if (constraint.kind().equals("n")) {
            return columns.get(0) + " IS NULL";
        }
        TableName parent = constraint.parent();
        if (parent == null) {
            return "(" + constraint.expression() + ") IS FALSE";
        }
        List<String> present = new ArrayList<>();
        List<String> joined = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            present.add(columns.get(i) + " IS NOT NULL");
            joined.add("hs_p." + Identifiers.quote(constraint.parents().get(i)) + " = " + columns.get(i));
        }
        return String.join(" AND ", present) + " AND NOT EXISTS (SELECT FROM " + Identifiers.quote(parent)
                + " hs_p WHERE " + String.join(" AND ", joined) + ")";
    }

    private static Finding finding(Scene scene, Unvalidated constraint) {
        return new Finding(
                Severity.ERROR,
                "not-valid-violated",
                scene.source().shard(),
                constraint.table(),
                constraint.columns().size() == 1 ? constraint.columns().get(0) : null,
                "rows of the tenant violate constraint " + constraint.name()
                        + ", which is NOT VALID; the target would refuse them",
                "mend the rows, then ALTER TABLE " + Identifiers.quote(constraint.table()) + " VALIDATE CONSTRAINT "
                        + Identifiers.quote(constraint.name()));
    }
}
