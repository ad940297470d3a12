package io.homeshard.migrate.move;

import io.homeshard.guard.GuardGap;
import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A move needs a guard without holes, and tables that are as they were planned. */
final class ShardRequirements {
    private ShardRequirements() {}

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
