package io.homeshard.cache;

import io.homeshard.directory.Directory;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of shards. When its time is over one thread reads it again while the others go on with the old one; whoever
 * comes after {@link #refresh()} waits for one read that began after it. Shards are few and their addresses are checked
 * at each connection, so an old list is used as long as the directory is down, whatever made it old.
 */
final class CachedShards {
    private static final Logger log = LoggerFactory.getLogger(CachedShards.class);

    private static final String ALL = "all";

    private final Directory directory;
    private final long ttlNanos;
    private final Clocks clocks;
    private final Semaphore reading = new Semaphore(1);
    private final SingleFlight<String, Snapshot> flights = new SingleFlight<>();
    /** Counts the calls of {@link #refresh()}. */
    private final AtomicLong refreshes = new AtomicLong();

    private final AtomicReference<@Nullable Snapshot> snapshot = new AtomicReference<>();

    CachedShards(Directory directory, Duration ttl, Clocks clocks) {
        this.directory = directory;
        this.ttlNanos = ttl.toNanos();
        this.clocks = clocks;
    }

    /** {@code refreshes} is the count when its read began: a later refresh outdates it. */
    private record Snapshot(Map<ShardId, Optional<Shard>> shards, long freshUntil, long refreshes) {}

    Optional<Shard> find(ShardId shard) {
        Snapshot now = snapshot.get();
        if (now == null || outdated(now)) {
            now = flights.load(ALL, this::readUnlessDone);
        } else if (expired(now) && reading.tryAcquire()) {
            try {
                now = read();
            } finally {
                reading.release();
            }
        }
        Optional<Shard> found = now.shards.get(shard);
        // a shard that was added a moment ago is not in the list yet
        return found != null ? found : directory.shard(shard);
    }

    void refresh() {
        refreshes.incrementAndGet();
        flights.abandon(ALL);
    }

    private boolean outdated(Snapshot now) {
        return now.refreshes != refreshes.get();
    }

    private boolean expired(Snapshot now) {
        return clocks.nanoTime() - now.freshUntil >= 0;
    }

    /** A thread may come only after another's read has ended: then its answer is there. */
    private Snapshot readUnlessDone() {
        Snapshot now = snapshot.get();
        return now == null || outdated(now) ? read() : now;
    }

    private Snapshot read() {
        long seen = refreshes.get();
        Snapshot next = new Snapshot(shards(), clocks.nanoTime() + ttlNanos, seen);
        // a read that began before a refresh does not replace one that began after it
        snapshot.accumulateAndGet(next, (old, read) -> old != null && old.refreshes > seen ? old : read);
        return next;
    }

    private Map<ShardId, Optional<Shard>> shards() {
        Snapshot old = snapshot.get();
        try {
            Map<ShardId, Optional<Shard>> shards = new HashMap<>();
            for (Shard shard : directory.shards()) {
                shards.put(shard.id(), Optional.of(shard));
            }
            return shards;
        } catch (DirectoryUnavailableException e) {
            if (old == null) {
                throw e;
            }
            log.debug(
                    "directory - is unreachable, the list of shards of earlier is used (shards={})",
                    old.shards.size(),
                    e);
            return old.shards;
        }
    }
}
