package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a shard says about loading and deleting rows of its tenant tables. Immutable.
 *
 * @param shard the shard
 * @param role the role that was asked for
 * @param mayReplica whether that role may set {@code session_replication_role}
 * @param triggers the application's triggers and rules on tenant tables that rows coming or going may set off, by table
 *     and name
 */
public record LoadFacts(ShardId shard, String role, boolean mayReplica, List<TableTrigger> triggers) {
    private record Role(String name, boolean mayReplica) {}

    // needs PostgreSQL 15, and says yes to superusers
    private static final String ROLE =
            "SELECT current_user, has_parameter_privilege('session_replication_role', 'SET')";

    // a trigger of a partition fires for rows that come through the root; COPY passes INSERT rules by
    private static final String TRIGGERS = """
            SELECT n.nspname, c.relname, t.tgname, t.tgenabled, (t.tgtype & 4) <> 0 AS inserts,
                   (t.tgtype & 8) <> 0 AS deletes
              FROM pg_trigger t
              JOIN pg_proc f ON f.oid = t.tgfoid
              JOIN pg_namespace fn ON fn.oid = f.pronamespace
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(t.tgrelid), t.tgrelid)
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'D' AND (t.tgtype & 12) <> 0
               AND fn.nspname <> 'homeshard'
            UNION ALL
            SELECT n.nspname, c.relname, r.rulename, r.ev_enabled, false, true
              FROM pg_rewrite r
              JOIN pg_class c ON c.oid = coalesce(pg_partition_root(r.ev_class), r.ev_class)
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE r.ev_type = '4' AND r.ev_enabled <> 'D'
             ORDER BY 1, 2, 3
            """;

    /** Keeps its own copy of the list. */
    public LoadFacts {
        triggers = List.copyOf(triggers);
    }

    /**
     * Asks one shard.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it as the mover's role, in autocommit or in a pinned transaction
     * @param catalog its tenant tables
     * @return what it said
     * @throws SQLException as the driver says
     */
    public static LoadFacts read(ShardId shard, Connection connection, TenantCatalog catalog) throws SQLException {
        Set<TableName> ours = new HashSet<>();
        catalog.tables().forEach(table -> ours.add(table.name()));
        return PinnedTransaction.joined(connection, session -> {
            Role role = Jdbc.one(session, ROLE, row -> new Role(row.getString(1), row.getBoolean(2)));
            List<TableTrigger> triggers = Jdbc.list(
                    session,
                    TRIGGERS,
                    row -> new TableTrigger(
                            new TableName(row.getString(1), row.getString(2)),
                            row.getString(3),
                            TableTrigger.State.of(row.getString(4)),
                            row.getBoolean("inserts"),
                            row.getBoolean("deletes")));
            return new LoadFacts(
                    shard,
                    role.name(),
                    role.mayReplica(),
                    triggers.stream().filter(t -> ours.contains(t.table())).toList());
        });
    }
}
