package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Calls the step functions of the directory. All rules are in the SQL. */
final class JdbcDirectoryMending implements DirectoryMending {
    private static final String LAST_EPOCH =
            "SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END FROM homeshard.mover_epoch s";
    private static final String LIFT_EPOCHS = "SELECT homeshard.lift_epochs(?)";
    private static final String LIFT = "SELECT homeshard.lift_directory()";
    private static final String CREATING = """
            SELECT EXISTS (SELECT FROM homeshard.provisioning o WHERE o.tenant_id = ?)""";
    private static final String KNOWN_GENERATION = """
            SELECT coalesce(max(h.generation), 0) FROM homeshard.placement_history h WHERE h.tenant_id = ?""";
    private static final String PLACE = "SELECT homeshard.reconcile_placement(?, ?, ?, ?, ?)";
    private static final String CLOSE = "SELECT homeshard.close_move(?, ?, ?, ?)";
    private static final String RAISE_GENERATION = "SELECT homeshard.raise_generation(?, ?)";
    private static final String BEGIN_GATHERING = "SELECT homeshard.begin_gathering(?, ?, ?, ?, ?, ?)";
    private static final String END_GATHERING = "SELECT homeshard.end_gathering(?, ?)";

    private final DirectoryCalls calls;

    JdbcDirectoryMending(DataSource dataSource) {
        this.calls = new DirectoryCalls(dataSource);
    }

    @Override
    public long lastEpoch() {
        return calls.call(directory -> Jdbc.one(directory, LAST_EPOCH, row -> row.getLong(1)));
    }

    @Override
    public long liftEpochs(long found) {
        return calls.call(directory -> Jdbc.one(directory, LIFT_EPOCHS, row -> row.getLong(1), found));
    }

    @Override
    public int lift() {
        return calls.call(directory -> Jdbc.one(directory, LIFT, row -> row.getInt(1)));
    }

    @Override
    public boolean creating(TenantId tenant) {
        return calls.call(directory -> Jdbc.one(directory, CREATING, row -> row.getBoolean(1), tenant.value()));
    }

    @Override
    public long knownGeneration(TenantId tenant) {
        return calls.call(directory -> Jdbc.one(directory, KNOWN_GENERATION, row -> row.getLong(1), tenant.value()));
    }

    @Override
    public StepResult place(TenantId tenant, @Nullable Long seen, ShardId shard, long generation, String reason) {
        return step(PLACE, tenant.value(), seen, shard.value(), generation, reason);
    }

    @Override
    public StepResult close(MoveRecord move, MovePhase to, String reason) {
        return step(CLOSE, move.id(), move.epoch(), to.name(), reason);
    }

    @Override
    public StepResult raiseGeneration(TenantId tenant, long generation) {
        return step(RAISE_GENERATION, tenant.value(), generation);
    }

    @Override
    public StepResult beginGathering(Gathering gathering, String report) {
        return step(
                BEGIN_GATHERING,
                gathering.id(),
                gathering.tenant().value(),
                gathering.home().value(),
                gathering.generation(),
                gathering.epoch(),
                report);
    }

    @Override
    public StepResult endGathering(UUID gathering, String report) {
        return step(END_GATHERING, gathering, report);
    }

    private StepResult step(String sql, @Nullable Object... parameters) {
        return calls.call(directory -> Jdbc.step(directory, sql, parameters));
    }
}
