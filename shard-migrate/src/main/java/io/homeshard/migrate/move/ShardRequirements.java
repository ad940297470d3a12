package io.homeshard.migrate.move;

import io.homeshard.guard.GuardGap;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A move needs a guard without holes, and tables that are as they were planned. */
final class ShardRequirements {
    private static final String RELATIONS =
            "SELECT count(*) || ' ' || coalesce(md5(string_agg(tab::oid::text, ',' ORDER BY tab)), '')"
                    + " FROM homeshard.tenant_relations()";

    private ShardRequirements() {}

    /**
     * Which relations hold the rows, partitions one by one, in a form to compare. Attaching a partition does not conflict
     * with the table locks, and its rows would be there without ever having been copied.
     */
    static String relations(Connection connection) throws SQLException {
        return Jdbc.one(connection, RELATIONS, row -> row.getString(1));
    }

    static void requireRelations(Connection connection, String held, ShardId shard) throws SQLException {
        String now = relations(connection);
        if (!now.equals(held)) {
            throw new MoveStopped("shard " + shard + " - partitions were attached or detached during the move (held="
                    + held + ", now=" + now + ")");
        }
    }

    static void requireGuard(WriteGuard guard, Connection connection, ShardId shard) throws SQLException {
        List<GuardGap> gaps = guard.unguarded(connection);
        if (!gaps.isEmpty()) {
            throw new MoveStopped("shard " + shard + " - guard is not complete: " + gaps);
        }
    }

    static void requireTables(TenantCatalog now, String planned, ShardId shard) {
        if (!now.fingerprint().equals(planned)) {
            throw new MoveStopped("shard " + shard + " - tables have changed since the plan (planned=" + planned
                    + ", now=" + now.fingerprint() + ")");
        }
    }
}
