package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Calls the functions of schema {@code homeshard}; what they do is decided there. */
final class SqlShardMending implements ShardMending {
    private static final String LIST = """
            SELECT tenant_id, generation, state, move_id, mover_epoch, attempt, verified_attempt, moved_to
              FROM homeshard.ownership WHERE tenant_id > ? ORDER BY tenant_id LIMIT ?
            """;
    private static final String HIGHEST_EPOCH = """
            SELECT greatest((SELECT coalesce(max(f.epoch), 0) FROM homeshard.mover_fence f),
                            (SELECT coalesce(max(o.mover_epoch), 0) FROM homeshard.ownership o))
            """;
    private static final String TENANT_TABLES = """
            SELECT n.nspname, c.relname
              FROM homeshard.tenant_relations() t
              JOIN pg_catalog.pg_class c ON c.oid = t.tab
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE NOT c.relispartition AND c.relkind IN ('r', 'p') ORDER BY 1, 2
            """;
    private static final String REOPEN = "SELECT homeshard.reopen(?, ?, ?, ?, ?, ?)";
    private static final String DISOWN = "SELECT homeshard.disown(?, ?, ?, ?, ?, ?)";
    private static final String HOLD = "SELECT homeshard.hold_tenant(?, ?, ?, ?)";

    @Override
    public List<Ownership> list(Connection shard, String after, int limit) throws SQLException {
        return Jdbc.list(shard, LIST, Ownership::read, after, limit);
    }

    @Override
    public long highestEpoch(Connection shard) throws SQLException {
        return Jdbc.one(shard, HIGHEST_EPOCH, row -> row.getLong(1));
    }

    @Override
    public List<TableName> tenantTables(Connection shard) throws SQLException {
        return Jdbc.list(shard, TENANT_TABLES, row -> new TableName(row.getString(1), row.getString(2)));
    }

    @Override
    public StepResult reopen(Connection shard, MoverToken token, long generation, long newGeneration)
            throws SQLException {
        return Jdbc.step(
                shard,
                REOPEN,
                token.tenant().value(),
                generation,
                token.move(),
                token.epoch(),
                token.attempt(),
                newGeneration);
    }

    @Override
    public StepResult disown(Connection shard, MoverToken token, long generation, ShardId owner, Duration lockTimeout)
            throws SQLException {
        return Jdbc.step(
                shard,
                DISOWN,
                token.tenant().value(),
                generation,
                token.move(),
                token.epoch(),
                owner.value(),
                Millis.of(lockTimeout));
    }

    @Override
    public StepResult hold(Connection shard, MoverToken token, long generation, Duration lockTimeout)
            throws SQLException {
        return Jdbc.step(shard, HOLD, token.tenant().value(), generation, token.epoch(), Millis.of(lockTimeout));
    }
}
