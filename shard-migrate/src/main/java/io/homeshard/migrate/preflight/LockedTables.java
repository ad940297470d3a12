package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who locked out a preflight that only reads: looked for when a lock did not come, since most locks are gone at once. */
final class LockedTables {
    // an index is locked out on its own, too; a lock that is waited for keeps readers out like one that is held. A
    // prepared transaction has no process
    private static final String LOCKED = """
            SELECT n.nspname, c.relname, l.pid, bool_or(l.granted)
              FROM pg_locks l
              LEFT JOIN pg_index i ON i.indexrelid = l.relation
              JOIN pg_class c ON c.oid = coalesce(i.indrelid, l.relation)
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid IS DISTINCT FROM pg_backend_pid()
               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND n.nspname = ANY (?::text[])
             GROUP BY 1, 2, 3
             ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", l.pid
            """;

    private LockedTables() {}

    /** An error for each table that is locked; at least one, since a lock did not come. Both connections in autocommit. */
    static List<Finding> find(Side source, Side target) throws SQLException {
        List<Finding> findings = new ArrayList<>(find(source));
        findings.addAll(find(target));
        return findings.isEmpty() ? List.of(gone(source)) : findings;
    }

    private static List<Finding> find(Side side) throws SQLException {
        Set<String> schemas = new TreeSet<>(side.schema().schemas());
        side.schema().referenceTables().forEach(table -> schemas.add(table.schema()));
        side.schema().tenantTables().keySet().forEach(table -> schemas.add(table.schema()));
        schemas.add("homeshard");
        return Jdbc.list(
                side.connection(),
                LOCKED,
                row -> locked(
                        side,
                        new TableName(row.getString(1), row.getString(2)),
                        row.getObject(3, Integer.class),
                        row.getBoolean(4)),
                (Object) schemas.toArray(String[]::new));
    }

    private static Finding locked(Side side, TableName table, @Nullable Integer pid, boolean held) {
        String who = pid == null ? "a prepared transaction" : "the session with pid " + pid;
        return new Finding(
                Severity.ERROR,
                "table-locked",
                side.shard(),
                table,
                null,
                who + (held ? " holds" : " waits for")
                        + " ACCESS EXCLUSIVE on it, which keeps readers out; the shards were not looked at any further",
                pid == null
                        ? "COMMIT PREPARED or ROLLBACK PREPARED it (pg_prepared_xacts), then plan again"
                        : "plan again when that session is done, or end it: SELECT pg_terminate_backend(" + pid + ")");
    }

    private static Finding gone(Side side) {
        return Finding.error(
                "table-locked",
                side.shard(),
                "a table of this shard or of the target was locked for longer than a look may wait, and is not any more;"
                        + " the shards were not looked at any further",
                "plan again");
    }
}
