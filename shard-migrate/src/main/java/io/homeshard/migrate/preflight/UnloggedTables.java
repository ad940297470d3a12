package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.List;

/** Tables that a crash empties: what was copied and verified may be gone a moment later. */
final class UnloggedTables implements SideCheck {
    private static final String UNLOGGED = Relations.TENANT_TABLES + """
            SELECT n.nspname, c.relname
              FROM tab CROSS JOIN LATERAL (SELECT tab.oid UNION SELECT p.relid FROM pg_partition_tree(tab.oid) p) x (oid)
              JOIN pg_class c ON c.oid = x.oid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relpersistence = 'u' ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
            """;

    @Override
    public List<Finding> find(Side side) throws SQLException {
        return Relations.ask(side, UNLOGGED, row -> {
            TableName table = new TableName(row.getString(1), row.getString(2));
            return new Finding(
                    Severity.WARNING,
                    "unlogged-table",
                    side.shard(),
                    table,
                    null,
                    "is UNLOGGED: it is copied like any other, and a crash of the server empties it",
                    "ALTER TABLE " + Identifiers.quote(table) + " SET LOGGED, or accept it");
        });
    }
}
