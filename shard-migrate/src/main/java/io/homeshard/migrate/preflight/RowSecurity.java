package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Policies would hide rows from the mover: {@code row_security = off} makes them an error instead, so that no move takes
 * a part of the rows for all of them; and COPY into such a table is refused. Both are found here, also where rows are only
 * compared: in reference tables and whatever else the tenant's rows point at.
 */
final class RowSecurity implements SideCheck {
    // a partition read through its root is not asked for its own policies, but rows are deleted from it by name
    private static final String POLICIES = Relations.TENANT_TABLES + """
            SELECT n.nspname, c.relname, c.relforcerowsecurity AND pg_has_role(current_user, c.relowner, 'USAGE'),
                   quote_ident(current_user)
              FROM tab CROSS JOIN LATERAL (SELECT tab.oid UNION SELECT p.relid FROM pg_partition_tree(tab.oid) p) x (oid)
              JOIN pg_class c ON c.oid = x.oid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relrowsecurity AND row_security_active(c.oid)
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    @Override
    public List<Finding> find(Side side) throws SQLException {
        Set<TableName> read = new TreeSet<>(side.schema().referenceTables());
        side.catalog().tables().forEach(table -> read.add(table.name()));
        Set<TableName> children = Set.copyOf(read);
        side.catalog().foreignKeys().stream()
                .filter(key -> children.contains(key.child()))
                .forEach(key -> read.add(key.parent()));
        return Relations.ask(side.connection(), read, POLICIES, row -> {
            String role = row.getString(4);
            boolean forced = row.getBoolean(3);
            return new Finding(
                    Severity.ERROR,
                    "row-security",
                    side.shard(),
                    new TableName(row.getString(1), row.getString(2)),
                    null,
                    "row-level security would hide rows from role " + role
                            + (forced ? ", which owns the table: it is FORCEd on owners" : ""),
                    "ALTER ROLE " + role + " BYPASSRLS");
        });
    }
}
