package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A few threads that write for many tenants in turn, wherever the directory says that each lives. */
final class BusyCompanies implements AutoCloseable {
    private static final int THREADS = 3;
    private final MoveLab lab;
    private final List<TenantId> tenants;
    private final List<Queue<String>> acknowledged = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    BusyCompanies(MoveLab lab, List<TenantId> tenants) {
        this.lab = lab;
        this.tenants = List.copyOf(tenants);
        tenants.forEach(tenant -> acknowledged.add(new ConcurrentLinkedQueue<>()));
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            Thread thread = new Thread(() -> run(first), "busy companies " + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(int first) {
        Map<ShardId, Connection> connections = new HashMap<>();
        try {
            for (int i = first; !closed; i++) {
                write(i % tenants.size(), connections);
                LockSupport.parkNanos(Duration.ofMillis(3).toNanos());
            }
            for (Connection connection : connections.values()) {
                connection.close();
            }
        } catch (SQLException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    private void write(int index, Map<ShardId, Connection> connections) throws SQLException {
        TenantId tenant = tenants.get(index);
        ShardId shard = lab.placement(tenant).shard();
        Connection connection = connections.get(shard);
        if (connection == null) {
            connection = lab.connect(shard);
            connections.put(shard, connection);
        }
        try {
            acknowledged
                    .get(index)
                    .add(Jdbc.one(
                            connection,
                            "INSERT INTO app.m_orders (tenant_id, note) VALUES (?, 'busy') RETURNING number",
                            row -> row.getString(1),
                            tenant.value()));
        } catch (SQLException e) {
            if (!SqlStates.NOT_OWNED.equals(e.getSQLState()) && !SqlStates.FROZEN.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /** Waits until every tenant has been written once more. */
    void awaitMore() {
        List<Integer> before = acknowledged.stream().map(Queue::size).toList();
        MoveLab.await(() -> failure.get() != null
                || IntStream.range(0, tenants.size())
                        .allMatch(index -> acknowledged.get(index).size() > before.get(index)));
        assertThat(failure.get()).isNull();
    }

    /** Stops writing; every acknowledged row is on its tenant's one owner, once. Returns how many there are. */
    int verify() throws InterruptedException {
        close();
        assertThat(failure.get()).isNull();
        int rows = 0;
        for (int index = 0; index < tenants.size(); index++) {
            TenantId tenant = tenants.get(index);
            assertThat(lab.owners(tenant)).containsExactly(lab.placement(tenant).shard());
            assertThat(lab.query(
                            lab.owners(tenant).get(0),
                            "SELECT number FROM app.m_orders WHERE tenant_id = ? AND note = 'busy'",
                            tenant.value()))
                    .containsExactlyInAnyOrderElementsOf(acknowledged.get(index));
            rows += acknowledged.get(index).size();
        }
        return rows;
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
