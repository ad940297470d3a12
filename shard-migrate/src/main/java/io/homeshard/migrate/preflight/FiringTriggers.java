package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Triggers of the application that fire for copied rows as for new ones. */
final class FiringTriggers implements SideCheck {
    // O and A fire in a mover's session; the guard's own triggers know the mover
    private static final String TRIGGERS = """
            SELECT n.nspname, c.relname, t.tgname FROM pg_trigger t
              JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled IN ('O', 'A')
               AND (t.tgtype & 4) <> 0 AND t.tgname !~ '^zz_homeshard_'
             ORDER BY 1, 2, 3
            """;

    @Override
    public List<Finding> find(Side side) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        record Fires(TableName table, String trigger) {}
        for (Fires found : Jdbc.list(side.connection(), TRIGGERS, row -> new Fires(table(row), row.getString(3)))) {
            if (side.catalog().tables().stream().anyMatch(table -> table.name().equals(found.table()))) {
                findings.add(new Finding(
                        Severity.WARNING,
                        "trigger-fires",
                        side.shard(),
                        found.table(),
                        null,
                        "trigger " + found.trigger() + " fires for copied rows as for new ones",
                        "make sure that it changes and notifies nothing then, or ENABLE it as REPLICA for the move"));
            }
        }
        return findings;
    }

    private static TableName table(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }
}
