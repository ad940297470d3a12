package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.ForeignKey;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Foreign keys that do not pair the tenant columns, and rows that use them to refer from one tenant to another: moving
 * either breaks them apart. Keys by which no row crosses are no finding.
 */
final class CrossingKeys implements Check {
    // a cascading or restricting key of a table that does not move: its rows would be changed, or keep ours from going
    private static final String OUTSIDE = Relations.TENANT_TABLES + """
            SELECT cn.nspname, c.relname, k.conname, tab.s, tab.t,
                   (SELECT array_agg(a.attname::text ORDER BY x.n) FROM unnest(k.conkey) WITH ORDINALITY x (num, n)
                      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.num) AS child_columns,
                   (SELECT array_agg(a.attname::text ORDER BY x.n) FROM unnest(k.confkey) WITH ORDINALITY x (num, n)
                      JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = x.num) AS parent_columns
              FROM tab JOIN pg_constraint k ON k.confrelid = tab.oid AND k.contype = 'f' AND k.conparentid = 0
              JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace cn ON cn.oid = c.relnamespace
             WHERE k.conrelid NOT IN (SELECT tab.oid FROM tab) AND NOT c.relispartition
             ORDER BY cn.nspname COLLATE "C", c.relname COLLATE "C", k.conname COLLATE "C"
            """;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        Map<TableName, TenantTable> tables = new HashMap<>();
        scene.source().catalog().tables().forEach(table -> tables.put(table.name(), table));
        List<Finding> findings = new ArrayList<>();
        for (ForeignKey key : scene.source().catalog().foreignKeys()) {
            TenantTable child = tables.get(key.child());
            TenantTable parent = tables.get(key.parent());
            if (child != null && parent != null && !paired(key, child, parent)) {
                crossing(scene, key, new Ends(child, parent), findings);
            }
        }
        outside(scene, tables, findings);
        return findings;
    }

    private record Ends(TenantTable child, TenantTable parent) {}

    private static boolean paired(ForeignKey key, TenantTable child, TenantTable parent) {
        for (int i = 0; i < key.childColumns().size(); i++) {
            if (key.childColumns().get(i).equals(child.tenantColumn())
                    && key.parentColumns().get(i).equals(parent.tenantColumn())) {
                return true;
            }
        }
        return false;
    }

    private static void crossing(Scene scene, ForeignKey key, Ends ends, List<Finding> findings) throws SQLException {
        Connection connection = scene.source().connection();
        TenantId tenant = scene.tenant();
        if (any(connection, key, ends, of(ends.child(), "c"), of(ends.parent(), "p"), tenant)) {
            findings.add(crosses(scene, key, "rows of the tenant refer to rows of other tenants in " + key.parent()));
        }
        if (any(connection, key, ends, of(ends.parent(), "p"), of(ends.child(), "c"), tenant)) {
            findings.add(crosses(scene, key, "rows of other tenants refer to the tenant's rows in " + key.parent()));
        }
    }

    private static boolean any(
            Connection connection, ForeignKey key, Ends ends, String ours, String others, TenantId tenant)
            throws SQLException {
        return Jdbc.one(
                connection,
                "SELECT EXISTS (SELECT FROM " + aliased(ends.child(), "c") + " JOIN " + aliased(ends.parent(), "p")
                        + " ON " + joined(key.childColumns(), key.parentColumns()) + " WHERE " + ours + " AND ("
                        + others + ") IS NOT TRUE)",
                row -> row.getBoolean(1),
                twice(tenant));
    }

    private static Object[] twice(TenantId tenant) {
        String t = tenant.value();
        return new Object[] {t, t, t, t, t, t};
    }

    private static String aliased(TenantTable table, String alias) {
        return table.from() + " " + alias;
    }

    /** The condition that a row under an alias is the tenant's. */
    private static String of(TenantTable table, String alias) {
        return alias + "." + TenantRows.condition(table);
    }

    private static String joined(List<String> children, List<String> parents) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            pairs.add("c." + Identifiers.quote(children.get(i)) + " = p." + Identifiers.quote(parents.get(i)));
        }
        return String.join(" AND ", pairs);
    }

    private static Finding crosses(Scene scene, ForeignKey key, String problem) {
        return new Finding(
                Severity.ERROR,
                "foreign-key-crosses",
                scene.source().shard(),
                key.child(),
                key.childColumns().size() == 1 ? key.childColumns().get(0) : null,
                "by foreign key " + key.name() + " " + problem,
                "mend the rows, and put the tenant column into the key");
    }

    private record Outside(
            TableName child, String name, TableName parent, List<String> childColumns, List<String> parentColumns) {}

    private static void outside(Scene scene, Map<TableName, TenantTable> tables, List<Finding> findings)
            throws SQLException {
        for (Outside key : Relations.ask(
                scene.source(),
                OUTSIDE,
                row -> new Outside(
                        new TableName(row.getString(1), row.getString(2)),
                        row.getString(3),
                        new TableName(row.getString(4), row.getString(5)),
                        List.of((String[]) row.getArray(6).getArray()),
                        List.of((String[]) row.getArray(7).getArray())))) {
            TenantTable parent = tables.get(key.parent());
            if (parent != null && refers(scene, key, parent)) {
                findings.add(new Finding(
                        Severity.ERROR,
                        "foreign-key-crosses",
                        scene.source().shard(),
                        key.child(),
                        key.childColumns().size() == 1 ? key.childColumns().get(0) : null,
                        "by foreign key " + key.name()
                                + " rows of a table that does not move refer to the tenant's rows" + " in "
                                + key.parent(),
                        "declare the table as a tenant table, or drop the key"));
            }
        }
    }

    private static boolean refers(Scene scene, Outside key, TenantTable parent) throws SQLException {
        return Jdbc.one(
                scene.source().connection(),
                "SELECT EXISTS (SELECT FROM " + Identifiers.quote(key.child()) + " c JOIN " + aliased(parent, "p")
                        + " ON " + joined(key.childColumns(), key.parentColumns()) + " WHERE " + of(parent, "p") + ")",
                row -> row.getBoolean(1),
                TenantRows.parameters(scene.tenant()));
    }
}
