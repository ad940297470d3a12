package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the guard on the declared tables, each in a transaction of its own: the lock that a trigger needs stops writers,
 * so it is asked for with a short timeout and given back at once.
 */
final class GuardInstall {
    private static final Logger log = LoggerFactory.getLogger(GuardInstall.class);
    private static final String PLAN =
            "SELECT tab, schema_name, table_name, tenant_column FROM homeshard.install_plan()";
    private static final String INSTALL = "SELECT homeshard.install_relation(CAST(CAST(? AS oid) AS regclass), ?, ?)";
    private static final String UNINSTALL = "SELECT homeshard.uninstall_relation(CAST(CAST(? AS oid) AS regclass), ?)";
    // a relation without the column that its guard looks at is closed to everybody, and freed
    private static final String LOST = """
            WITH RECURSIVE freed AS (SELECT p.tab FROM homeshard.install_plan() p WHERE p.tenant_column IS NULL),
            up (tab, above) AS (
              SELECT f.tab, f.tab FROM freed f
              UNION SELECT u.tab, i.inhparent FROM up u JOIN pg_inherits i ON i.inhrelid = u.above)
            SELECT n.nspname, c.relname
              FROM freed f JOIN homeshard.guarded g ON g.tab::oid = f.tab
              JOIN pg_class c ON c.oid = f.tab JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = f.tab AND a.attname = g.tenant_column
                              AND a.attnum > 0 AND NOT a.attisdropped)
               AND NOT EXISTS (SELECT FROM up u JOIN pg_class d ON d.oid = u.above JOIN pg_namespace e ON e.oid = d.relnamespace
                                 JOIN unnest(CAST(? AS text[]), CAST(? AS text[])) x (s, t) ON x.s = e.nspname AND x.t = d.relname
                                WHERE u.tab = f.tab)
             ORDER BY 1, 2
            """;
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
        declare(shard, tables);
        for (Change change : plan(shard)) {
            apply(shard, change, millis);
        }
        return Jdbc.list(shard, GUARDED, row -> new TableName(row.getString(1), row.getString(2)));
    }

    /** Stores the declaration, unless tables would lose their guard of which it says nothing: nothing is changed then. */
    private static void declare(Connection shard, TenantSchema tables) throws SQLException {
        shard.setAutoCommit(false);
        try {
            Declaration.store(shard, tables);
            List<TableName> lost = lost(shard, tables);
            if (!lost.isEmpty()) {
                throw new SchemaMismatchException(
                        "guard - this declaration does not have tables that are guarded, nothing was changed; it is an"
                                + " older build's, or names another schema or tenant column by mistake; to take the guard"
                                + " off on purpose, declare them as ignored (tables=" + lost + ")",
                        null);
            }
            shard.commit();
        } catch (SQLException | RuntimeException e) {
            shard.rollback();
            throw e;
        } finally {
            shard.setAutoCommit(true);
        }
    }

    private static List<TableName> lost(Connection shard, TenantSchema tables) throws SQLException {
        Set<TableName> named = new TreeSet<>(tables.ignoredTables());
        named.addAll(tables.referenceTables());
        return Jdbc.list(
                shard,
                LOST,
                row -> new TableName(row.getString(1), row.getString(2)),
                named.stream().map(TableName::schema).toArray(String[]::new),
                named.stream().map(TableName::name).toArray(String[]::new));
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
            log.warn("guard - is taken off table {}", change.relation().table());
            Jdbc.run(shard, UNINSTALL, change.relation().oid(), millis);
        } else {
            Jdbc.run(shard, INSTALL, change.relation().oid(), change.column(), millis);
        }
    }
}
