package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What shows rows of tenant tables without having any of its own: no move copies it. */
public final class DerivedObjects {
    // a view depends on what it reads through its rule; what reads a partition reads the table
    private static final String READS = """
            SELECT DISTINCT vn.nspname, v.relname, v.relkind = 'm' AS materialized, n.nspname, c.relname
              FROM pg_rewrite r
              JOIN pg_class v ON v.oid = r.ev_class AND v.relkind IN ('v', 'm')
              JOIN pg_namespace vn ON vn.oid = v.relnamespace
              JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                   AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(d.refobjid), d.refobjid)
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE vn.nspname NOT IN ('pg_catalog', 'information_schema')
            """;
    private static final String FOREIGN = """
            SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'f' AND NOT c.relispartition AND n.nspname = ANY (?::text[])
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    private DerivedObjects() {}

    private record Reads(TableName view, boolean materialized, TableName from) {}

    /**
     * The materialized views that show rows of tenant tables, directly or through other views.
     *
     * @param connection a connection to the shard, in autocommit or in a pinned transaction
     * @param catalog its tenant tables
     * @return in an order in which they can be refreshed: each after those that it reads, else by name
     * @throws SQLException as the driver says
     */
    public static List<TableName> materializedViews(Connection connection, TenantCatalog catalog) throws SQLException {
        return PinnedTransaction.joined(connection, session -> {
            Map<TableName, Set<TableName>> reads = new TreeMap<>();
            Set<TableName> materialized = new TreeSet<>();
            for (Reads one : Jdbc.list(
                    session,
                    READS,
                    row -> new Reads(
                            new TableName(row.getString(1), row.getString(2)),
                            row.getBoolean(3),
                            new TableName(row.getString(4), row.getString(5))))) {
                reads.computeIfAbsent(one.view(), view -> new TreeSet<>()).add(one.from());
                if (one.materialized()) {
                    materialized.add(one.view());
                }
            }
            Map<TableName, Boolean> shows = new LinkedHashMap<>();
            catalog.tables().forEach(table -> shows.put(table.name(), true));
            reads.keySet().forEach(view -> visit(view, reads, shows));
            return shows.entrySet().stream()
                    .filter(entry -> entry.getValue() && materialized.contains(entry.getKey()))
                    .map(Map.Entry::getKey)
                    .toList();
        });
    }

    /** Puts a view behind all that it reads, with whether it shows tenants' rows. */
    private static boolean visit(TableName view, Map<TableName, Set<TableName>> reads, Map<TableName, Boolean> shows) {
        Boolean known = shows.get(view);
        if (known != null) {
            return known;
        }
        boolean any = false;
        for (TableName from : reads.getOrDefault(view, Set.of())) {
            any |= visit(from, reads, shows);
        }
        shows.put(view, any);
        return any;
    }

    /**
     * Tells what a move leaves to others.
     *
     * @param shard the shard, for the findings
     * @param connection a connection to it, in autocommit or in a pinned transaction
     * @param schema the declaration, for the schemas in which to look for foreign tables
     * @param catalog its tenant tables
     * @return notes: materialized views in the order of refreshing, then foreign tables by name
     * @throws SQLException as the driver says
     */
    public static List<Finding> inspect(
            ShardId shard, Connection connection, TenantSchema schema, TenantCatalog catalog) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        List<TableName> views = materializedViews(connection, catalog);
        for (TableName view : views) {
            findings.add(note(
                    "materialized-view",
                    shard,
                    view,
                    "is not copied; it shows the rows of before the move until it is refreshed (order="
                            + (findings.size() + 1) + " of " + views.size() + ")",
                    "REFRESH MATERIALIZED VIEW " + Identifiers.quote(view)
                            + " on the target after the move, and on the source after cleaning"));
        }
        String[] schemas = schema.schemas().toArray(String[]::new);
        for (TableName table : PinnedTransaction.joined(
                connection,
                session ->
                        Jdbc.list(session, FOREIGN, row -> new TableName(row.getString(1), row.getString(2)), (Object)
                                schemas))) {
            findings.add(note(
                    "foreign-table",
                    shard,
                    table,
                    "is not copied: its rows live elsewhere",
                    "make sure that the target's foreign table shows the same rows"));
        }
        return findings;
    }

    private static Finding note(String name, ShardId shard, TableName table, String problem, String remedy) {
        return new Finding(Severity.NOTE, name, shard, table, null, problem, remedy);
    }
}
