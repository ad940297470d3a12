package io.homeshard.tenants;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The application's triggers and rules on tenant tables that would take copies which go for rows that somebody deletes.
 * Immutable.
 *
 * @param role who asks
 * @param mayReplica whether that role may set {@code session_replication_role}
 * @param triggers those that are not disabled
 */
record DeleteTriggers(String role, boolean mayReplica, List<Trigger> triggers) {
    private static final String ROLE =
            "SELECT current_user, has_parameter_privilege('session_replication_role', 'SET')";

    // a trigger of a partition counts with the table that is declared
    private static final String TRIGGERS = """
            WITH ours AS (SELECT t.tab AS oid FROM homeshard.tenant_relations() t)
            SELECT c.oid::regclass, t.tgname, t.tgenabled
              FROM pg_catalog.pg_trigger t
              JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid
              JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
              JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
             WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled <> 'D' AND (t.tgtype & 8) <> 0
               AND n.nspname <> 'homeshard'
               AND coalesce(pg_catalog.pg_partition_root(c.oid), c.oid) IN (SELECT oid FROM ours)
            UNION ALL
            SELECT c.oid::regclass, r.rulename, r.ev_enabled
              FROM pg_catalog.pg_rewrite r
              JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
             WHERE r.ev_type = '4' AND r.ev_enabled <> 'D'
               AND coalesce(pg_catalog.pg_partition_root(c.oid), c.oid) IN (SELECT oid FROM ours)
             ORDER BY 1, 2
            """;

    /** One of them; {@code enabled} as the catalog has it: O in ordinary sessions, R in those of replicas, A in all. */
    record Trigger(String table, String name, String enabled) {
        @Override
        public String toString() {
            return name + " of " + table;
        }
    }

    DeleteTriggers {
        triggers = List.copyOf(triggers);
    }

    static DeleteTriggers read(Connection shard) throws SQLException {
        List<Trigger> triggers =
                Jdbc.list(shard, TRIGGERS, row -> new Trigger(row.getString(1), row.getString(2), row.getString(3)));
        return Jdbc.one(shard, ROLE, row -> new DeleteTriggers(row.getString(1), row.getBoolean(2), triggers));
    }

    /** Whether rows have to be deleted as a replica would, so that none of them fires. */
    boolean asReplica() {
        return !firing("R").isEmpty();
    }

    /** Why rows cannot be deleted without side effects, and what to do; empty when they can. */
    Optional<String> obstacle() {
        List<Trigger> ordinary = firing("R");
        if (ordinary.isEmpty()) {
            return Optional.empty();
        }
        List<Trigger> replica = firing("O");
        if (!replica.isEmpty()) {
            return Optional.of(
                    "triggers would fire for copies that are deleted, disable them while you reconcile (triggers="
                            + replica + ")");
        }
        return mayReplica
                ? Optional.empty()
                : Optional.of("triggers would fire for copies that are deleted, GRANT SET ON PARAMETER"
                        + " session_replication_role TO " + Identifiers.quote(role) + " on this shard, or disable them"
                        + " while you reconcile (triggers=" + ordinary + ")");
    }

    /** Those that fire, but for the ones that are enabled for other sessions only. */
    private List<Trigger> firing(String others) {
        Predicate<Trigger> fires = trigger -> !trigger.enabled().equals(others);
        return triggers.stream().filter(fires).toList();
    }
}
