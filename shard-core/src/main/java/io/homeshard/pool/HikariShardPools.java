package io.homeshard.pool;

import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pools by shard. Each shard has a lock of its own for making and replacing its pool, held without any I/O; borrowing
 * takes none.
 */
final class HikariShardPools implements ShardPools {
    private static final Logger log = LoggerFactory.getLogger(HikariShardPools.class);

    private final ConcurrentMap<ShardId, Slot> slots = new ConcurrentHashMap<>();
    private final PoolConfig config;
    private final ShardDatabase database;
    private final PoolRetirement retirement;
    private volatile boolean closed;

    HikariShardPools(PoolConfig config, ShardDatabase database, PoolRetirement retirement) {
        this.config = config;
        this.database = database;
        this.retirement = retirement;
    }

    /** The place of a shard; {@code pool} is written under {@code lock}. */
    private static final class Slot {
        final ReentrantLock lock = new ReentrantLock();
        volatile @Nullable ShardPool pool;
    }

    @Override
    public Connection borrow(Shard shard) throws SQLException {
        ShardPool pool = poolOf(shard);
        try {
            return pool.borrow();
        } catch (SQLException e) {
            if (closed) {
                throw ShardDatabase.closed(e);
            }
            if (pool.retired()) {
                // replaced while this thread waited
                return poolOf(shard).borrow();
            }
            throw e;
        }
    }

    @Override
    public Connection open(Shard shard, String applicationName) throws SQLException {
        return database.open(shard, applicationName);
    }

    @Override
    public Connection openUnchecked(Shard shard, String applicationName) throws SQLException {
        return database.openUnchecked(shard, applicationName);
    }

    @Override
    public Optional<PoolStats> stats(ShardId shard) {
        Slot slot = slots.get(shard);
        ShardPool pool = slot == null ? null : slot.pool;
        return pool == null ? Optional.empty() : Optional.of(pool.stats());
    }

    @Override
    public void renew(ShardId shard) {
        Slot slot = slots.get(shard);
        if (slot != null) {
            retirement.retire(replace(slot, null));
        }
    }

    @Override
    public void close() {
        closed = true;
        database.close();
        for (Slot slot : slots.values()) {
            retirement.retire(replace(slot, null));
        }
    }

    private ShardPool poolOf(Shard shard) throws SQLException {
        Slot slot = slots.get(shard.id());
        if (slot == null) {
            slot = slots.computeIfAbsent(shard.id(), id -> new Slot());
        }
        ShardPool pool = slot.pool;
        return pool != null && pool.serves(shard) ? pool : create(slot, shard);
    }

    private ShardPool create(Slot slot, Shard shard) throws SQLException {
        ShardPool old;
        ShardPool pool;
        slot.lock.lock();
        try {
            if (closed) {
                throw ShardDatabase.closed(null);
            }
            old = slot.pool;
            if (old != null && old.serves(shard)) {
                return old;
            }
            pool = ShardPool.create(shard, config, database);
            slot.pool = pool;
        } finally {
            slot.lock.unlock();
        }
        log.debug(
                "shard {} - pool created (incarnation={}, limit={})",
                shard.id(),
                shard.incarnation(),
                config.maximumSize());
        retirement.retire(old);
        return pool;
    }

    private static @Nullable ShardPool replace(Slot slot, @Nullable ShardPool next) {
        slot.lock.lock();
        try {
            ShardPool old = slot.pool;
            slot.pool = next;
            return old;
        } finally {
            slot.lock.unlock();
        }
    }
}
