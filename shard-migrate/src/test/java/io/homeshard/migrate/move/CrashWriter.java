package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Tries to write for a tenant on one shard, all the time, without asking anybody whether the tenant lives there. */
final class CrashWriter implements AutoCloseable {
    private static final String INSERT = "INSERT INTO app.entries (tenant_id, mark) VALUES (?, ?)";

    final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    /** Sent, and the answer was lost: there or not there. */
    final Set<String> unknown = ConcurrentHashMap.newKeySet();

    final AtomicInteger refused = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final MoveLab lab;
    private final ShardId shard;
    private final TenantId tenant;
    private final Thread thread;
    private volatile boolean closed;
    private @Nullable Connection connection;

    CrashWriter(MoveLab lab, ShardId shard, TenantId tenant) {
        this.lab = lab;
        this.shard = shard;
        this.tenant = tenant;
        this.thread = new Thread(this::write, "writer of " + tenant + " on " + shard);
        thread.setDaemon(true);
        thread.start();
    }

    private void write() {
        for (int n = 0; !closed; n++) {
            String mark = shard + " " + n;
            try {
                if (connection == null) {
                    connection = lab.connect(shard);
                }
                Jdbc.run(connection, INSERT, tenant.value(), mark);
                acknowledged.add(mark);
            } catch (SQLException e) {
                failed(e, mark);
            } catch (RuntimeException e) {
                failure.set(e);
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private void failed(SQLException e, String mark) {
        String state = String.valueOf(e.getSQLState());
        if (state.equals(SqlStates.NOT_OWNED) || state.equals(SqlStates.FROZEN)) {
            refused.incrementAndGet();
        } else if (state.startsWith("08") || state.startsWith("57")) {
            unknown.add(mark);
            CrashWitness.shut(connection);
            connection = null;
        } else {
            failure.set(e);
            closed = true;
        }
    }

    /** What no writer may meet. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
        CrashWitness.shut(connection);
    }
}
