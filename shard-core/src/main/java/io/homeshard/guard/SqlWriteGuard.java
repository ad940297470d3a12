package io.homeshard.guard;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the functions of schema {@code homeshard}; what they do is decided there. */
final class SqlWriteGuard implements WriteGuard {
    private static final String UNGUARDED = "SELECT tab, problem FROM homeshard.unguarded() ORDER BY 1, 2";
    private static final String IDENTIFY = "SELECT homeshard.identify(?, ?, ?)";
    private static final String SELF = """
            SELECT homeshard.schema_number(), i.directory_id, i.shard_id, i.incarnation FROM homeshard.identity() i
            """;
    private static final String OWNERSHIP = """
            SELECT generation, state, move_id, mover_epoch, attempt, verified_attempt, moved_to
              FROM homeshard.ownership WHERE tenant_id = ?
            """;
    private static final String TAKE_OVER = "SELECT homeshard.take_over(?, ?, ?, ?)";
    private static final String RESERVE = "SELECT homeshard.reserve(?, ?, ?, ?, ?)";
    private static final String FREEZE = "SELECT homeshard.freeze(?, ?, ?, ?, ?, ?)";
    private static final String UNFREEZE = "SELECT homeshard.unfreeze(?, ?, ?, ?)";
    private static final String MARK_VERIFIED = "SELECT homeshard.mark_verified(?, ?, ?, ?, ?)";
    private static final String MARK_MOVED = "SELECT homeshard.mark_moved(?, ?, ?, ?, ?, ?)";
    private static final String ACTIVATE = "SELECT homeshard.activate(?, ?, ?, ?, ?)";
    private static final String RELEASE = "SELECT homeshard.release(?, ?, ?, ?, ?)";
    private static final String HOLD_TABLES = "SELECT homeshard.hold_tables(?)";
    private static final String ENTER_MOVER = "SELECT homeshard.enter_mover(?, ?, ?)";
    private static final String SWEEP = "SELECT homeshard.sweep(CAST(? AS regclass), ?, ?, ?, ?)";

    /** Waits a moment for each, so that the fence is free when the caller asks for it. */
    private static final String TERMINATE_OLDER = """
            SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid, 2000)) FROM pg_stat_activity a
             WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
               AND CASE WHEN a.application_name ~ ('^hs-move ' || CAST(? AS text) || ' [0-9]{1,18}$')
                        THEN CAST(split_part(a.application_name, ' ', 3) AS bigint) < ? ELSE false END
            """;

    private final GuardInstall install;
    private final GuardRemoval removal;

    SqlWriteGuard(Clocks clocks) {
        TableTries tries = new TableTries(clocks);
        this.install = new GuardInstall(tries);
        this.removal = new GuardRemoval(tries);
    }

    @Override
    public List<TableName> install(Connection shard, TenantSchema tables, Duration lockTimeout) throws SQLException {
        return install.run(shard, tables, lockTimeout);
    }

    @Override
    public StepResult remove(Connection shard, Duration lockTimeout) throws SQLException {
        return removal.run(shard, lockTimeout);
    }

    @Override
    public List<GuardGap> unguarded(Connection shard) throws SQLException {
        return Jdbc.list(shard, UNGUARDED, row -> new GuardGap(row.getString(1), row.getString(2)));
    }

    @Override
    public StepResult identify(Connection shard, ShardIdentity identity) throws SQLException {
        return Jdbc.step(shard, IDENTIFY, identity.directory(), identity.shard().value(), identity.incarnation());
    }

    @Override
    public ShardSelf self(Connection shard) throws SQLException {
        return Jdbc.one(shard, SELF, SqlWriteGuard::self);
    }

    private static ShardSelf self(ResultSet row) throws SQLException {
        UUID directory = row.getObject(2, UUID.class);
        return new ShardSelf(
                row.getInt(1),
                directory == null
                        ? Optional.empty()
                        : Optional.of(new ShardIdentity(directory, ShardId.of(row.getString(3)), row.getInt(4))));
    }

    @Override
    public Optional<Ownership> ownership(Connection shard, TenantId tenant) throws SQLException {
        return Jdbc.find(shard, OWNERSHIP, row -> ownership(tenant, row), tenant.value());
    }

    private static Ownership ownership(TenantId tenant, ResultSet row) throws SQLException {
        return new Ownership(
                tenant,
                row.getLong(1),
                OwnershipState.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
                row.getObject(3, UUID.class),
                row.getObject(4, Long.class),
                row.getObject(5, Integer.class),
                row.getObject(6, Integer.class),
                row.getString(7));
    }

    @Override
    public StepResult takeOver(Connection shard, MoverToken token) throws SQLException {
        return Jdbc.step(shard, TAKE_OVER, token.tenant().value(), token.move(), token.epoch(), token.attempt());
    }

    @Override
    public int terminateOlder(Connection shard, MoverToken token) throws SQLException {
        return Jdbc.one(
                shard, TERMINATE_OLDER, row -> row.getInt(1), token.move().toString(), token.epoch());
    }

    @Override
    public StepResult reserve(Connection shard, MoverToken token, long generation) throws SQLException {
        return step(shard, RESERVE, token, generation);
    }

    @Override
    public StepResult freeze(Connection shard, MoverToken token, long generation, Duration lockTimeout)
            throws SQLException {
        return step(shard, FREEZE, token, generation, Millis.of(lockTimeout));
    }

    @Override
    public StepResult unfreeze(Connection shard, MoverToken token, long generation) throws SQLException {
        return Jdbc.step(shard, UNFREEZE, token.tenant().value(), generation, token.move(), token.epoch());
    }

    @Override
    public void holdTables(Connection shard, Duration lockTimeout) throws SQLException {
        Jdbc.run(shard, HOLD_TABLES, Millis.of(lockTimeout));
    }

    @Override
    public void enterMover(Connection shard, MoverToken token) throws SQLException {
        Jdbc.run(shard, ENTER_MOVER, token.tenant().value(), token.move(), token.epoch());
    }

    @Override
    public StepResult markVerified(Connection shard, MoverToken token, long generation) throws SQLException {
        return step(shard, MARK_VERIFIED, token, generation);
    }

    @Override
    public StepResult markMoved(Connection shard, MoverToken token, long generation, ShardId target)
            throws SQLException {
        return step(shard, MARK_MOVED, token, generation, target.value());
    }

    @Override
    public StepResult activate(Connection shard, MoverToken token, long generation) throws SQLException {
        return step(shard, ACTIVATE, token, generation);
    }

    @Override
    public StepResult release(Connection shard, MoverToken token, long generation) throws SQLException {
        return step(shard, RELEASE, token, generation);
    }

    @Override
    public long sweep(Connection shard, MoverToken token, TableName table, int limit) throws SQLException {
        return Jdbc.one(
                shard,
                SWEEP,
                row -> row.getLong(1),
                Identifiers.quote(table),
                token.tenant().value(),
                token.move(),
                token.epoch(),
                limit);
    }

    private static StepResult step(Connection shard, String sql, MoverToken token, long generation)
            throws SQLException {
        return Jdbc.step(shard, sql, token.tenant().value(), generation, token.move(), token.epoch(), token.attempt());
    }

    private static StepResult step(
            Connection shard, String sql, MoverToken token, long generation, @Nullable Object last)
            throws SQLException {
        return Jdbc.step(
                shard, sql, token.tenant().value(), generation, token.move(), token.epoch(), token.attempt(), last);
    }
}
