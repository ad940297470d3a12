package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Writes for one tenant all the time, wherever the directory says that it lives, and remembers what was acknowledged. */
final class BusyTenant implements AutoCloseable {
    private final MoveLab lab;
    private final TenantId tenant;
    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean closed;

    BusyTenant(MoveLab lab, TenantId tenant) {
        this.lab = lab;
        this.tenant = tenant;
        this.thread = new Thread(this::write, "busy " + tenant);
        thread.setDaemon(true);
        thread.start();
    }

    private void write() {
        try {
            while (!closed) {
                ShardId shard = lab.placement(tenant).shard();
                try (Connection connection = lab.connect(shard)) {
                    writeOn(connection);
                }
            }
        } catch (SQLException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    private void writeOn(Connection connection) throws SQLException {
        try {
            while (!closed) {
                acknowledged.add(Jdbc.one(
                        connection,
                        "INSERT INTO app.m_orders (tenant_id, note) VALUES (?, 'busy') RETURNING number",
                        row -> row.getLong(1),
                        tenant.value()));
                LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            }
        } catch (SQLException e) {
            if (!SqlStates.NOT_OWNED.equals(e.getSQLState()) && !SqlStates.FROZEN.equals(e.getSQLState())) {
                throw e;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    int acknowledged() {
        return acknowledged.size();
    }

    /** Waits until more writes were acknowledged: the tenant is writable. */
    void awaitMore() {
        int before = acknowledged.size();
        MoveLab.await(() -> acknowledged.size() >= before + 3 || failure.get() != null);
        assertThat(failure.get()).isNull();
    }

    /** Stops writing; every acknowledged row is on the owner, once, and there is one owner. */
    void verify() throws InterruptedException {
        close();
        assertThat(failure.get()).isNull();
        assertThat(lab.owners(tenant)).hasSize(1);
        ShardId owner = lab.owners(tenant).get(0);
        assertThat(lab.placement(tenant).shard()).isEqualTo(owner);
        List<String> found = lab.query(
                owner, "SELECT number FROM app.m_orders WHERE tenant_id = ? AND note = 'busy'", tenant.value());
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        acknowledged.stream().map(String::valueOf).toList());
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
