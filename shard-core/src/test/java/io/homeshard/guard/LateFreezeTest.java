package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.after;
import static io.homeshard.guard.GuardedShard.alreadyDone;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.mover;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A freeze that waits for its lock outlives whoever sent it; when it gets through, its move may be over. */
class LateFreezeTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Executor SAME_THREAD = Runnable::run;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private GuardedShard shard;
    private TenantId tenant;
    private MoverToken old;
    private Connection writer;
    private Connection freezing;
    private int freezingPid;
    private CompletableFuture<StepResult> freeze;

    @BeforeEach
    void aFreezeWaitsForAWriter() throws SQLException {
        shard = GuardedShard.withNotes();
        tenant = shard.owned();
        old = mover(tenant);
        writer = shard.connect();
        writer.setAutoCommit(false);
        GuardedShard.write(writer, tenant, 1);
        freezing = shard.connect();
        freezingPid = GuardedShard.pid(freezing);
        freeze = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return shard.guard.freeze(freezing, old, 1, LONG);
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
        shard.awaitLockWait(freezingPid);
    }

    @AfterEach
    void stop() throws SQLException {
        writer.close();
        freezing.close();
        threads.shutdownNow();
        shard.close();
    }

    private SQLException refusal() {
        ExecutionException failure =
                catchThrowableOfType(ExecutionException.class, () -> freeze.get(20, TimeUnit.SECONDS));
        return (SQLException) Objects.requireNonNull(failure.getCause());
    }

    @Test
    void itIsRefusedAfterAHigherEpochHasAborted() throws Exception {
        MoverToken recoverer = after(old);
        try (Connection connection = shard.connect()) {
            done(shard.guard.takeOver(connection, recoverer));
            alreadyDone(shard.guard.unfreeze(connection, recoverer, 1));
        }
        writer.commit();
        assertThat(refusal().getSQLState()).isEqualTo("HS004");
        shard.write(tenant, 2);
    }

    @Test
    void itIsRefusedAfterItsOwnMoverHasAborted() throws Exception {
        try (Connection connection = shard.connect()) {
            alreadyDone(shard.guard.unfreeze(connection, old, 1));
        }
        writer.commit();
        assertThat(refusal().getSQLState()).isEqualTo("HS004");
        shard.write(tenant, 2);
    }

    @Test
    void itIsRefusedWhenItsClientWasKilledAndTheMoveAborted() throws Exception {
        freezing.abort(SAME_THREAD);
        assertThat(refusal().getSQLState()).startsWith("08");
        shard.awaitLockWait(freezingPid);
        MoverToken recoverer = after(old);
        try (Connection connection = shard.connect()) {
            done(shard.guard.takeOver(connection, recoverer));
            alreadyDone(shard.guard.unfreeze(connection, recoverer, 1));
        }
        writer.commit();
        shard.await("SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ?)", freezingPid);
        assertThat(shard.ownership(tenant).state()).isEqualTo(OwnershipState.OWNED);
        shard.write(tenant, 2);
    }

    @Test
    void withoutAnAbortItLandsThoughItsClientWasKilled() throws Exception {
        freezing.abort(SAME_THREAD);
        assertThat(refusal().getSQLState()).startsWith("08");
        writer.commit();
        shard.await(
                "SELECT EXISTS (SELECT FROM homeshard.ownership WHERE tenant_id = ? AND state = 'frozen')",
                tenant.value());
        try (Connection connection = shard.connect()) {
            alreadyDone(shard.guard.freeze(connection, old, 1, GuardedShard.SOON));
        }
    }
}
