package io.homeshard.migrate.move;

import io.homeshard.guard.OwnershipState;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at both shards all the time, and whenever it is told to. It reads the target first: who owns there owns there
 * for good in these moves, so that a source that owns at a later moment is a second owner, however slow the looking is.
 */
final class CrashWitness implements AutoCloseable {
    final Queue<String> sins = new ConcurrentLinkedQueue<>();
    final AtomicInteger looks = new AtomicInteger();
    private final MoveLab lab;
    private final TenantId tenant;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread;
    private volatile boolean closed;
    private @Nullable Connection source;
    private @Nullable Connection target;

    CrashWitness(MoveLab lab, TenantId tenant) {
        this.lab = lab;
        this.tenant = tenant;
        this.thread = new Thread(this::watch, "witness of " + tenant);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            look("polling");
            LockSupport.parkNanos(Duration.ofMillis(15).toNanos());
        }
    }

    /** Looks now; a shard that does not answer owns nothing as far as anybody can tell. */
    void look(String when) {
        lock.lock();
        try {
            target = session(target, CrashScene.S2);
            Optional<OwnershipState> there = state(target);
            source = session(source, CrashScene.S1);
            Optional<OwnershipState> here = state(source);
            if (here.isPresent() && there.isPresent()) {
                looks.incrementAndGet();
                if (here.get() == OwnershipState.OWNED && there.get() == OwnershipState.OWNED) {
                    sins.add("two owners, " + when);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Connection session(@Nullable Connection now, ShardId shard) {
        try {
            return now != null && !now.isClosed() ? now : lab.connect(shard);
        } catch (SQLException e) {
            return null;
        }
    }

    private Optional<OwnershipState> state(@Nullable Connection connection) {
        if (connection == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(lab.guard
                    .ownership(connection, tenant)
                    .map(row -> row.state())
                    .orElse(OwnershipState.MOVED));
        } catch (SQLException e) {
            shut(connection);
            return Optional.empty();
        }
    }

    static void shut(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
        shut(source);
        shut(target);
    }
}
