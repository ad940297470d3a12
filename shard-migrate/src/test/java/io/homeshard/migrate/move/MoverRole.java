package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A role for movers with just the rights that {@code docs/mover-role.md} lists, and nothing of a superuser. The objects of
 * a shard are given to ordinary roles first: the guard's to {@code <role>_guard}, tables to {@code <role>_app}, sequences
 * that belong to no column to {@code <role>_numbers}.
 */
public final class MoverRole {
    /** For connections as the role. */
    public static final String PASSWORD = "mover";

    private static final String ROLES = """
            DO $$ BEGIN
              CREATE ROLE %1$s LOGIN PASSWORD 'mover';
              CREATE ROLE %1$s_guard; CREATE ROLE %1$s_app; CREATE ROLE %1$s_numbers;
            EXCEPTION WHEN duplicate_object THEN NULL; END $$
            """;

    /** Whoever owns tables here is a member of the guard's owner, as where one role owns both. */
    private static final String OWNERS = """
            DO $$ DECLARE r record; BEGIN
              GRANT %1$s_guard TO %1$s_app;
              FOR r IN SELECT format('ALTER SCHEMA %%I OWNER TO %%I', n.nspname,
                                CASE n.nspname WHEN 'homeshard' THEN '%1$s_guard' ELSE '%1$s_app' END) AS sql
                         FROM pg_namespace n WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'public')
                       UNION ALL
                       SELECT format('ALTER %%s %%s OWNER TO %%I', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                                c.oid::regclass, CASE WHEN n.nspname = 'homeshard' THEN '%1$s_guard'
                                                      WHEN c.relkind = 'S' THEN '%1$s_numbers' ELSE '%1$s_app' END)
                         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                        WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'S')
                          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                                             AND d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
                       UNION ALL
                       SELECT format('ALTER ROUTINE %%s OWNER TO %%I', p.oid::regprocedure, '%1$s_guard')
                         FROM pg_proc p WHERE p.pronamespace = 'homeshard'::regnamespace LOOP
                EXECUTE r.sql;
              END LOOP;
            END $$
            """;

    /** The list of the documentation, for this shard. */
    private static final String GRANTS = """
            WITH rel AS (
              SELECT c.oid, c.oid::regclass AS name, c.relkind, c.relispartition, c.relrowsecurity, c.relowner
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'homeshard')),
            tenants AS (SELECT t.tab::oid AS oid FROM homeshard.tenant_relations() t)
            SELECT 1, format('GRANT %1$s_guard TO %1$s')
            UNION ALL
            SELECT 2, format('GRANT USAGE ON SCHEMA %%I TO %1$s', n.nspname) FROM pg_namespace n
             WHERE EXISTS (SELECT FROM rel JOIN pg_class c ON c.oid = rel.oid WHERE c.relnamespace = n.oid)
            UNION ALL
            SELECT 3, format('GRANT %%s ON %%s TO %1$s', p.privilege, name)
              FROM rel, unnest(ARRAY['SELECT', 'INSERT', 'DELETE']) p (privilege)
             WHERE oid IN (SELECT oid FROM tenants) AND (NOT relispartition OR p.privilege <> 'INSERT')
            UNION ALL
            SELECT 4, format('GRANT SELECT ON %%s TO %1$s', name) FROM rel
             WHERE relkind IN ('r', 'p') AND oid NOT IN (SELECT oid FROM tenants)
               AND EXISTS (SELECT FROM homeshard.declared_table d WHERE d.kind = 'reference'
                              AND to_regclass(format('%%I.%%I', d.schema_name, d.table_name)) = rel.oid)
            UNION ALL
            SELECT DISTINCT 5, format('GRANT %%I TO %1$s', pg_get_userbyid(relowner)) FROM rel WHERE relkind = 'S'
            UNION ALL
            SELECT 6, 'ALTER ROLE %1$s BYPASSRLS' WHERE EXISTS (
              SELECT FROM rel WHERE relrowsecurity AND oid IN (SELECT oid FROM tenants))
             ORDER BY 1, 2
            """;

    private MoverRole() {}

    /**
     * Gives a role what a mover needs on one shard.
     *
     * @param owner to the shard, as a superuser; the guard is installed there
     * @param role name, of lower-case letters, digits and underscores; created when the server has none
     * @param mayReplicate whether it may set {@code session_replication_role}
     * @return the statements that gave it
     */
    public static List<String> grant(Connection owner, String role, boolean mayReplicate) throws SQLException {
        Jdbc.run(owner, ROLES.formatted(role));
        Jdbc.run(owner, OWNERS.formatted(role));
        List<String> grants = new ArrayList<>(Jdbc.list(owner, GRANTS.formatted(role), row -> row.getString(2)));
        if (mayReplicate) {
            grants.add("GRANT SET ON PARAMETER session_replication_role TO " + role);
        }
        for (String grant : grants) {
            Jdbc.run(owner, grant);
        }
        return grants;
    }

    /** The statement that takes back what a statement gave. */
    static String taken(String grant) {
        return grant.startsWith("GRANT ")
                ? grant.replaceFirst("^GRANT ", "REVOKE ").replaceFirst(" TO (\\w+)$", " FROM $1")
                : grant.replaceFirst("BYPASSRLS$", "NOBYPASSRLS");
    }

    /**
     * Takes everything back on one shard; roles that have nothing left on their server are dropped.
     *
     * @param owner to the shard, as a superuser
     * @param role the role
     */
    public static void drop(Connection owner, String role) throws SQLException {
        for (String one : List.of(role, role + "_guard", role + "_app", role + "_numbers")) {
            Jdbc.run(owner, "REASSIGN OWNED BY " + one + " TO CURRENT_USER");
            Jdbc.run(owner, "DROP OWNED BY " + one);
        }
    }
}
