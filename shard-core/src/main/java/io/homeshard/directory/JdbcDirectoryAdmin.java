package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SchemaNumber;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementException;
import io.homeshard.model.PlacementState;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardInUseException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantExistsException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Calls the step functions of the directory. All rules are in the SQL, where a row lock makes them hold. */
final class JdbcDirectoryAdmin implements DirectoryAdmin {
    private static final String IDENTITY = """
            SELECT d.directory_id, d.incarnation, homeshard.schema_number() FROM homeshard.directory_meta d""";

    /** The statement's snapshot is older than what the function does, so the row is read by a second statement. */
    private static final String ADD_SHARD = "SELECT homeshard.add_shard(?, ?, ?, ?, ?, ?, ?)";

    private static final String NEVER_ROLLED_OUT =
            "SELECT s.shard_id FROM homeshard.shard s WHERE NOT s.bootstrapped AND s.removed_at IS NULL";
    private static final String SET_STATUS = "SELECT homeshard.set_shard_status(?, ?)";
    private static final String UNKNOWN_SHARD = "unknown shard";
    private static final String REMOVE_SHARD = "SELECT homeshard.remove_shard(?)";
    private static final String BOOTSTRAPPED = "SELECT homeshard.bootstrapped(?)";
    private static final String BEGIN_CREATE = """
            SELECT b.answer, b.generation, b.epoch, b.committed FROM homeshard.begin_create(?, ?, ?, ?) b""";
    private static final String COMMIT_CREATE = "SELECT homeshard.commit_create(?, ?)";
    private static final String END_CREATE = "SELECT homeshard.end_create(?, ?)";
    private static final String UNDO_CREATE = "SELECT homeshard.undo_create(?, ?)";
    private static final String LEAVE_CREATE = "SELECT homeshard.leave_create(?, ?)";
    private static final String TAKE_OVER = """
            SELECT o.operation, o.tenant_id, o.shard_id, o.generation, o.epoch, o.committed
              FROM homeshard.take_over_creates(?) o""";
    private static final String LIST = """
            SELECT p.tenant_id, p.shard_id, p.generation, p.state, p.map_version
              FROM homeshard.placement p WHERE p.tenant_id > ? ORDER BY p.tenant_id LIMIT ?""";
    private static final String LIST_ON = """
            SELECT p.tenant_id, p.shard_id, p.generation, p.state, p.map_version
              FROM homeshard.placement p WHERE p.shard_id = ? AND p.tenant_id > ? ORDER BY p.tenant_id LIMIT ?""";
    private static final String LOADS = """
            SELECT s.shard_id, s.max_tenants,
                   (SELECT count(*) FROM homeshard.placement p WHERE p.shard_id = s.shard_id)
                   + (SELECT count(*) FROM homeshard.move m WHERE m.target = s.shard_id
                         AND m.phase IN ('PLANNED', 'RESERVED', 'FREEZING', 'FROZEN', 'COPYING', 'VERIFIED')) AS tenants
              FROM homeshard.shard s WHERE s.removed_at IS NULL ORDER BY s.shard_id""";

    private static final String SET_CAPACITY =
            "UPDATE homeshard.shard SET max_tenants = ?::bigint, max_bytes = ?::bigint WHERE shard_id = ?";
    private static final String REQUIRE_REGION = "UPDATE homeshard.placement SET region = ? WHERE tenant_id = ?";

    private final DirectoryCalls calls;
    private final Directory directory;

    JdbcDirectoryAdmin(DataSource dataSource) {
        this.calls = new DirectoryCalls(dataSource);
        this.directory = new JdbcDirectory(dataSource);
    }

    @Override
    public DirectoryIdentity identity() {
        DirectoryIdentity identity = calls.call(connection -> Jdbc.one(
                connection,
                IDENTITY,
                row -> new DirectoryIdentity(row.getObject(1, UUID.class), row.getInt(2), row.getInt(3))));
        Optional<SchemaMismatchException> misfit =
                SchemaNumber.misfit("directory", identity.schemaNumber(), "SchemaRollout.migrateDirectory()");
        if (misfit.isPresent()) {
            throw misfit.get();
        }
        return identity;
    }

    @Override
    public Shard addShard(Shard shard) {
        StepResult added = step(
                ADD_SHARD,
                shard.id().value(),
                shard.number(),
                shard.jdbcUrl(),
                shard.region(),
                shard.weight(),
                shard.dedicated(),
                shard.incarnation());
        Optional<Shard> registered = directory.shard(shard.id());
        if (!added.ok()) {
            throw new IllegalArgumentException("shard " + shard.id() + " - " + added.why()
                    + registered
                            .map(known -> ShardDifferences.between(known, shard))
                            .orElse(""));
        }
        return registered.orElseThrow();
    }

    @Override
    public void setStatus(ShardId shard, ShardStatus status) {
        refuseUnlessOk(shard, step(SET_STATUS, shard.value(), status.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public void removeShard(ShardId shard) {
        StepResult removed = step(REMOVE_SHARD, shard.value());
        if (UNKNOWN_SHARD.equals(removed.why())) {
            refuseUnlessOk(shard, removed);
        }
        if (!removed.ok()) {
            throw new ShardInUseException("shard " + shard + " - was not removed: " + removed.why(), null);
        }
    }

    @Override
    public void bootstrapped(ShardId shard) {
        refuseUnlessOk(shard, step(BOOTSTRAPPED, shard.value()));
    }

    @Override
    public void setCapacity(ShardId shard, @Nullable Long maxTenants, @Nullable Long maxBytes) {
        if ((maxTenants != null && maxTenants < 0) || (maxBytes != null && maxBytes < 0)) {
            throw new IllegalArgumentException("shard " + shard + " - capacity must be >= 0, was " + maxTenants
                    + " tenants, " + maxBytes + " bytes");
        }
        int rows = calls.call(directory -> Jdbc.update(directory, SET_CAPACITY, maxTenants, maxBytes, shard.value()));
        if (rows == 0) {
            throw new IllegalArgumentException("shard " + shard + " - is not in the directory");
        }
    }

    @Override
    public void requireRegion(TenantId tenant, @Nullable String region) {
        if (calls.call(directory -> Jdbc.update(directory, REQUIRE_REGION, region, tenant.value())) == 0) {
            throw UnknownTenantException.of(tenant);
        }
    }

    @Override
    public Set<ShardId> neverRolledOut() {
        return Set.copyOf(
                calls.call(connection -> Jdbc.list(connection, NEVER_ROLLED_OUT, row -> ShardId.of(row.getString(1)))));
    }

    @Override
    public Provisioning beginCreate(TenantId tenant, ShardId shard, UUID operation, Duration lease) {
        Optional<Provisioning> begun = calls.call(connection -> Jdbc.one(
                connection,
                BEGIN_CREATE,
                row -> begun(row, tenant, shard, operation),
                tenant.value(),
                shard.value(),
                operation,
                JdbcMoveJournal.millis(lease)));
        return begun.orElseThrow(() -> exists(tenant));
    }

    /** Empty when the tenant exists already. */
    private static Optional<Provisioning> begun(ResultSet row, TenantId tenant, ShardId shard, UUID operation)
            throws SQLException {
        StepResult answer = StepResult.parse(row.getString("answer"));
        if (answer.ok()) {
            return Optional.of(new Provisioning(
                    operation,
                    tenant,
                    shard,
                    row.getLong("generation"),
                    row.getLong("epoch"),
                    row.getBoolean("committed")));
        }
        if ("exists".equals(answer.why())) {
            return Optional.empty();
        }
        throw new PlacementException("shard " + shard + " - cannot take tenant " + tenant + ", " + answer.why(), null);
    }

    private TenantExistsException exists(TenantId tenant) {
        Optional<PlacementState> state = directory.find(tenant).map(Placement::state);
        String remedy = "; use it, or choose another name";
        if (state.isEmpty()) {
            remedy = " but is gone since: create it again";
        } else if (state.get() == PlacementState.PROVISIONING) {
            remedy = " and cannot be used yet: its creation has not ended; where nobody is at it any more,"
                    + " tenants().repair() finishes or undoes it once its lease has run out";
        } else if (state.get() == PlacementState.DELETING) {
            remedy = " and cannot be used: it is being deleted; choose another name";
        }
        String now = state.map(known -> known.name().toLowerCase(Locale.ROOT)).orElse("none");
        return new TenantExistsException(
                "tenant " + tenant + " - is in the directory already" + remedy + " (state=" + now + ")", null);
    }

    @Override
    public StepResult commitCreate(Provisioning provisioning) {
        return step(COMMIT_CREATE, provisioning.operation(), provisioning.epoch());
    }

    @Override
    public StepResult endCreate(Provisioning provisioning) {
        return step(END_CREATE, provisioning.operation(), provisioning.epoch());
    }

    @Override
    public StepResult undoCreate(Provisioning provisioning) {
        return step(UNDO_CREATE, provisioning.operation(), provisioning.epoch());
    }

    @Override
    public StepResult leaveCreate(Provisioning provisioning) {
        return step(LEAVE_CREATE, provisioning.operation(), provisioning.epoch());
    }

    @Override
    public List<Provisioning> takeOverCreates(Duration lease) {
        return calls.call(connection ->
                Jdbc.list(connection, TAKE_OVER, JdbcDirectoryAdmin::provisioning, JdbcMoveJournal.millis(lease)));
    }

    @Override
    public List<Placement> list(Optional<TenantId> after, int limit) {
        positive(limit);
        String last = after.map(TenantId::value).orElse("");
        return calls.call(connection -> Jdbc.list(connection, LIST, Rows::placement, last, limit));
    }

    @Override
    public List<Placement> listOn(ShardId shard, Optional<TenantId> after, int limit) {
        positive(limit);
        String last = after.map(TenantId::value).orElse("");
        return calls.call(connection -> Jdbc.list(connection, LIST_ON, Rows::placement, shard.value(), last, limit));
    }

    @Override
    public List<ShardLoad> loads() {
        return calls.call(connection -> Jdbc.list(connection, LOADS, Rows::load));
    }

    private static void positive(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be >= 1, was " + limit);
        }
    }

    private static Provisioning provisioning(ResultSet row) throws SQLException {
        return new Provisioning(
                row.getObject("operation", UUID.class),
                TenantId.of(row.getString("tenant_id")),
                ShardId.of(row.getString("shard_id")),
                row.getLong("generation"),
                row.getLong("epoch"),
                row.getBoolean("committed"));
    }

    private StepResult step(String sql, @Nullable Object... parameters) {
        return calls.call(connection -> Jdbc.step(connection, sql, parameters));
    }

    private static void refuseUnlessOk(ShardId shard, StepResult result) {
        if (!result.ok()) {
            throw new IllegalArgumentException("shard " + shard + " - " + result.why());
        }
    }
}
