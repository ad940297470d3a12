package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A move opens several sessions on each shard; the server, the database and the role must let it. */
final class ConnectionLimits implements Check {
    // reserved_connections exists from PostgreSQL 16 on; a limit of -1 is none, and superusers heed only the first
    private static final String LIMITS = """
            WITH me AS (SELECT * FROM pg_roles WHERE rolname = current_user),
            db AS (SELECT * FROM pg_database WHERE datname = current_database()),
            taken AS (
              SELECT count(*) AS all_of_them, count(*) FILTER (WHERE a.datid = db.oid) AS in_db,
                     count(*) FILTER (WHERE a.usesysid = me.oid) AS by_role
                FROM db, me, pg_stat_activity a WHERE a.backend_type = 'client backend')
            SELECT 'max_connections', current_setting('max_connections')::int - (
                     SELECT coalesce(sum(s.setting::int), 0) FROM pg_settings s
                      WHERE s.name IN ('superuser_reserved_connections', 'reserved_connections')), taken.all_of_them
              FROM taken
            UNION ALL
            SELECT 'CONNECTION LIMIT of the database', db.datconnlimit, taken.in_db FROM db, taken, me
             WHERE db.datconnlimit >= 0 AND NOT me.rolsuper
            UNION ALL
            SELECT 'CONNECTION LIMIT of role ' || quote_ident(rolname), rolconnlimit, by_role FROM me, taken
             WHERE rolconnlimit >= 0 AND NOT rolsuper
            """;

    private record Limit(String name, int allowed, int taken) {}

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        int needed = scene.parts().limits().connections();
        List<Finding> findings = new ArrayList<>();
        for (Side side : List.of(scene.source(), scene.target())) {
            for (Limit limit : limits(side.connection())) {
                // one of those taken is the session that asks, which will be gone
                int free = limit.allowed() - limit.taken() + 1;
                if (free < needed) {
                    findings.add(finding(side, limit, free, needed));
                }
            }
        }
        return findings;
    }

    private static List<Limit> limits(Connection connection) throws SQLException {
        return Jdbc.list(connection, LIMITS, row -> new Limit(row.getString(1), row.getInt(2), row.getInt(3)));
    }

    private static Finding finding(Side side, Limit limit, int free, int needed) {
        String problem = limit.name() + " leaves too few connections for the move, needed " + needed + ", free " + free
                + " (limit=" + limit.allowed() + ")";
        return limit.allowed() < needed
                ? Finding.error("connections", side.shard(), problem, "raise it, or lower the parallelism of the copy")
                : Finding.warning(
                        "connections",
                        side.shard(),
                        problem,
                        "close sessions, raise it, lower the parallelism of the copy, or accept that the move may be"
                                + " undone");
    }
}
