package io.homeshard.guard;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Transactions that hold tables, each until somebody has waited for it for a while. */
final class InstallObstacles implements AutoCloseable {
    private static final String WAITED_FOR = """
            SELECT relation::regclass::text FROM pg_locks WHERE pid = ? AND NOT granted AND locktype = 'relation'
               AND clock_timestamp() - waitstart > ? * interval '1 ms'""";

    private final GuardedShard shard;
    private final Duration held;
    private final Map<String, Connection> holders = new LinkedHashMap<>();
    private final AtomicInteger released = new AtomicInteger();
    private volatile boolean stopped;
    private @Nullable Thread watcher;

    InstallObstacles(GuardedShard shard, Duration held) {
        this.shard = shard;
        this.held = held;
    }

    void hold(String table) throws SQLException {
        Connection holder = shard.connect();
        holder.setAutoCommit(false);
        Jdbc.run(holder, "LOCK TABLE ONLY " + table + " IN ROW EXCLUSIVE MODE");
        holders.put(table, holder);
    }

    /** Lets a table go when the backend has waited for it long enough. */
    void watch(int pid) throws SQLException {
        Connection watching = shard.connect();
        watcher = new Thread(() -> {
            try (watching) {
                while (!stopped) {
                    for (String table :
                            Jdbc.list(watching, WAITED_FOR, row -> row.getString(1), pid, held.toMillis())) {
                        Connection holder = holders.remove(table);
                        if (holder != null) {
                            holder.close();
                            released.incrementAndGet();
                        }
                    }
                    LockSupport.parkNanos(5_000_000);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        watcher.start();
    }

    int released() {
        return released.get();
    }

    @Override
    public void close() throws SQLException, InterruptedException {
        stopped = true;
        if (watcher != null) {
            watcher.join();
        }
        for (Connection holder : holders.values()) {
            holder.close();
        }
    }
}
