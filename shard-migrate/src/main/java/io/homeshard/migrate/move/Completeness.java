package io.homeshard.migrate.move;

import io.homeshard.guard.GuardGap;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A move needs a guard without holes. */
final class Completeness {
    private Completeness() {}

    static void requireGuard(WriteGuard guard, Connection connection, ShardId shard) throws SQLException {
        List<GuardGap> gaps = guard.unguarded(connection);
        if (!gaps.isEmpty()) {
            throw new MoveStopped("shard " + shard + " - guard is not complete: " + gaps);
        }
    }
}
