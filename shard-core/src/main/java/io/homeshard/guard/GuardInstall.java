package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the guard on the declared tables, each in a transaction of its own: the lock that a trigger needs stops writers,
 * so it is asked for with a short timeout and given back at once.
 */
final class GuardInstall {
    private static final String PLAN =
            "SELECT tab, schema_name, table_name, tenant_column FROM homeshard.install_plan()";
    private static final String INSTALL = "SELECT homeshard.install_relation(CAST(CAST(? AS oid) AS regclass), ?, ?)";
    private static final String UNINSTALL = "SELECT homeshard.uninstall_relation(CAST(CAST(? AS oid) AS regclass), ?)";
    private static final String GUARDED = """
            SELECT n.nspname, c.relname FROM homeshard.guarded g JOIN pg_class c ON c.oid = g.tab
              JOIN pg_namespace n ON n.oid = c.relnamespace ORDER BY 1, 2
            """;

    private final TableTries tries;

    GuardInstall(TableTries tries) {
        this.tries = tries;
    }

    /** A relation to be guarded, or, without a column, to be freed. */
    private record Change(
            TableTries.Relation relation, @Nullable String column) {}

    List<TableName> run(Connection shard, TenantSchema tables, Duration lockTimeout) throws SQLException {
        int millis = Millis.of(lockTimeout);
        if (!shard.getAutoCommit()) {
            throw new IllegalArgumentException("shard must be a connection in autocommit");
        }
        Declaration.store(shard, tables);
        for (Change change : plan(shard)) {
            apply(shard, change, millis);
        }
        return Jdbc.list(shard, GUARDED, row -> new TableName(row.getString(1), row.getString(2)));
    }

    private static List<Change> plan(Connection shard) throws SQLException {
        return Jdbc.list(
                shard,
                PLAN,
                row -> new Change(
                        new TableTries.Relation(row.getLong(1), new TableName(row.getString(2), row.getString(3))),
                        row.getString(4)));
    }

    private void apply(Connection shard, Change change, int millis) throws SQLException {
        tries.run(shard, change.relation(), millis, () -> applyOnce(shard, change, millis));
    }

    private static void applyOnce(Connection shard, Change change, int millis) throws SQLException {
        if (change.column() == null) {
            Jdbc.run(shard, UNINSTALL, change.relation().oid(), millis);
        } else {
            Jdbc.run(shard, INSTALL, change.relation().oid(), change.column(), millis);
        }
    }
}
