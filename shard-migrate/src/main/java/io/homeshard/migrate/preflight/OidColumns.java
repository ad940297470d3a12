package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Columns that hold numbers of things of one database: large objects, which no table has, and names of tables, functions
 * and roles, whose numbers are others elsewhere. They are not moved; rows that use them keep a move from running.
 */
final class OidColumns implements Check {
    // through domains (lo is one), arrays and composite types
    private static final String COLUMNS = Relations.TENANT_TABLES + """
            , part(oid, root) AS (
              SELECT DISTINCT a.atttypid, a.atttypid FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid
               WHERE a.attnum > 0 AND NOT a.attisdropped
              UNION
              SELECT x.inner_type, p.root FROM part p JOIN pg_type y ON y.oid = p.oid
               CROSS JOIN LATERAL (
                 SELECT y.typbasetype WHERE y.typtype = 'd'
                 UNION ALL SELECT y.typelem WHERE y.typelem <> 0 AND y.typcategory = 'A'
                 UNION ALL SELECT f.atttypid FROM pg_attribute f
                            WHERE y.typtype = 'c' AND f.attrelid = y.typrelid AND f.attnum > 0 AND NOT f.attisdropped
               ) x (inner_type))
            SELECT tab.s, tab.t, a.attname, format_type(a.atttypid, a.atttypmod),
                   bool_or(p.oid = 'oid'::regtype) AS number
              FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN part p ON p.root = a.atttypid
             WHERE p.oid IN ('oid'::regtype, 'regclass'::regtype, 'regcollation'::regtype, 'regconfig'::regtype,
                             'regdictionary'::regtype, 'regnamespace'::regtype, 'regoper'::regtype,
                             'regoperator'::regtype, 'regproc'::regtype, 'regprocedure'::regtype, 'regrole'::regtype,
                             'regtype'::regtype)
             GROUP BY tab.s, tab.t, a.attnum, a.attname, a.atttypid, a.atttypmod
             ORDER BY tab.s COLLATE "C", tab.t COLLATE "C", a.attnum
            """;
    private static final String USED = "SELECT EXISTS (SELECT FROM %s WHERE %s AND %s IS NOT NULL)";

    private record Column(String schema, String table, String column, String type, boolean number) {}

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        Side source = scene.source();
        Map<String, TenantTable> tables = new HashMap<>();
        source.catalog().tables().forEach(table -> tables.put(table.name().toString(), table));
        List<Finding> findings = new ArrayList<>();
        for (Column column : Relations.ask(
                source,
                COLUMNS,
                row -> new Column(
                        row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getBoolean(5)))) {
            TenantTable table = tables.get(column.schema() + "." + column.table());
            if (table != null) {
                findings.add(finding(source, table, column, used(scene, table, column.column())));
            }
        }
        return findings;
    }

    private static boolean used(Scene scene, TenantTable table, String column) throws SQLException {
        return Jdbc.one(
                scene.source().connection(),
                USED.formatted(table.from(), TenantRows.condition(table), Identifiers.quote(column)),
                row -> row.getBoolean(1),
                TenantRows.parameters(scene.tenant()));
    }

    private static Finding finding(Side side, TenantTable table, Column column, boolean used) {
        String what = column.number()
                ? "may be the number of a large object, which stays behind"
                : "names something of this database by its number";
        return new Finding(
                used ? Severity.ERROR : Severity.WARNING,
                "oid-column",
                side.shard(),
                table.name(),
                column.column(),
                "column of type " + column.type() + " " + what + (used ? "" : "; the tenant's rows have none now"),
                (column.number() ? "keep the contents in a bytea column" : "keep the name in a text column")
                        + ", or a plain number in a bigint column"
                        + (used ? "" : "; or accept that a value written until then undoes or spoils the move"));
    }
}
