package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** How a mover gets to come by a step: what had happened before, and what it is about. */
enum CrashStory {
    FORWARD(CrashTask.MOVE),
    CANCELLED(CrashTask.MOVE_CANCELLED),
    /** An earlier mover died when it had copied. */
    RESUMED(CrashTask.RESUME),
    RECOVERED(CrashTask.RECOVER),
    /** An earlier mover's transactions are still open on both shards. */
    LINGERING(CrashTask.RECOVER),
    /** The directory has forgotten a flip. */
    FORGOTTEN(CrashTask.RECOVER),
    /** A mover died after the flip, and a person orders the way back. */
    RETURNED(CrashTask.RETURN),
    /** A mover died after the flip and the source with it, and a person orders to do without. */
    SOURCE_GIVEN_UP(CrashTask.ACTIVATE_WITHOUT_SOURCE),
    CLEANED(CrashTask.CLEAN),
    /** An earlier mover died when it was cleaning. */
    CLEANED_AGAIN(CrashTask.CLEAN);

    private static final String FORGET_PLACEMENT = """
            UPDATE homeshard.placement SET shard_id = 's1', generation = 1, state = 'frozen' WHERE tenant_id = ?
            """;
    private static final String FORGET_FLIP = "UPDATE homeshard.move SET phase = 'VERIFIED' WHERE id = ?";

    private final CrashTask task;

    CrashStory(CrashTask task) {
        this.task = task;
    }

    CrashTask task() {
        return task;
    }

    static CrashStory of(Step step) {
        return switch (step) {
            case CANCEL, ABORT -> CANCELLED;
            case TAKE_OVER, FENCE_SOURCE, FENCE_TARGET, EMPTY_TARGET, SWEEP_LEFTOVERS -> RESUMED;
            case UNFREEZE, SWEEP_COPIED, RELEASE, ENTER_ABORTED -> RECOVERED;
            case END_OLDER_ON_SOURCE, END_OLDER_ON_TARGET -> LINGERING;
            case REDO_FLIP -> FORGOTTEN;
            case ENTER_CLEANING, SWEEP_OLD -> CLEANED;
            case RETURN, REOPEN -> RETURNED;
            case WAIVE_SOURCE -> SOURCE_GIVEN_UP;
            case ENTER_DONE -> CLEANED_AGAIN;
            default -> FORWARD;
        };
    }

    /** What had happened before; sessions that stay open are added to the list. */
    void prepare(MoveLab lab, TenantId tenant, List<Connection> lingering) throws SQLException {
        switch (this) {
            case FORWARD, CANCELLED -> {}
            case RESUMED, RECOVERED -> crashed(lab, tenant, Step.COPY_ROWS);
            case LINGERING -> linger(lab, tenant, crashed(lab, tenant, Step.RESERVE), lingering);
            case FORGOTTEN -> forget(lab, tenant, crashed(lab, tenant, Step.MARK_MOVED));
            case RETURNED -> crashed(lab, tenant, Step.FLIP);
            case SOURCE_GIVEN_UP -> {
                crashed(lab, tenant, Step.FLIP);
                lab.cluster.shardServer(0).stop();
            }
            case CLEANED -> CrashTask.MOVE.run(lab.parts(CrashScene.CONFIG), StepHook.NONE, tenant);
            case CLEANED_AGAIN -> {
                CrashTask.MOVE.run(lab.parts(CrashScene.CONFIG), StepHook.NONE, tenant);
                stopped(lab, CrashTask.CLEAN, tenant, Step.SWEEP_OLD);
            }
        }
        lab.journal.ofTenant(tenant).forEach(move -> lab.expire(move.id()));
    }

    private static MoveRecord crashed(MoveLab lab, TenantId tenant, Step after) {
        stopped(lab, CrashTask.MOVE, tenant, after);
        return lab.journal.ofTenant(tenant).get(0);
    }

    private static void stopped(MoveLab lab, CrashTask task, TenantId tenant, Step after) {
        assertThatThrownBy(() -> task.run(lab.parts(CrashScene.CONFIG), SimulatedCrash.at(after), tenant))
                .isInstanceOf(SimulatedCrash.class);
    }

    private static void linger(MoveLab lab, TenantId tenant, MoveRecord move, List<Connection> lingering)
            throws SQLException {
        MoverToken old = new MoverToken(tenant, move.id(), move.epoch(), move.attempt());
        for (ShardId shard : List.of(move.source(), move.target())) {
            Connection connection = lab.connect(shard);
            lingering.add(connection);
            Jdbc.run(connection, "SELECT set_config('application_name', ?, false)", WriteGuard.applicationName(old));
            connection.setAutoCommit(false);
        }
        lab.guard.freeze(lingering.get(0), old, move.generation(), Duration.ofMillis(500));
        lab.guard.reserve(lingering.get(1), old, move.generation() + 1);
    }

    private static void forget(MoveLab lab, TenantId tenant, MoveRecord move) throws SQLException {
        UUID id = move.id();
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(directory, FORGET_PLACEMENT, tenant.value());
            Jdbc.run(directory, FORGET_FLIP, id);
        }
    }
}
