package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.mover;

import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A freeze on a thread of its own, which waits for a writer of its tenant. */
final class FreezeUnderWay implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final GuardedShard shard;
    private final TenantId tenant;
    private final Connection connection;
    private @Nullable Future<StepResult> answer;

    FreezeUnderWay(GuardedShard shard, TenantId tenant) throws SQLException {
        this.shard = shard;
        this.tenant = tenant;
        this.connection = shard.connect();
    }

    /** Returns when it waits. */
    void begin() throws SQLException {
        int pid = GuardedShard.pid(connection);
        answer = thread.submit(() -> shard.guard.freeze(connection, mover(tenant), 1, Duration.ofSeconds(60)));
        shard.awaitLockWait(pid);
    }

    /** Returns when it is done. */
    void end() {
        try {
            if (answer == null) {
                throw new IllegalStateException("has not begun");
            }
            done(answer.get(20, TimeUnit.SECONDS));
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        thread.shutdownNow();
    }
}
