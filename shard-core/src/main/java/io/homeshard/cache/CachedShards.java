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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of shards, read again by one thread at a time while the others go on with the old one. Shards are few and
 * their addresses are checked at each connection, so an old list is used as long as the directory is down.
 */
final class CachedShards {
    private static final Logger log = LoggerFactory.getLogger(CachedShards.class);

    private final Directory directory;
    private final long ttlNanos;
    private final Clocks clocks;
    private final Semaphore reading = new Semaphore(1);
    private volatile @Nullable Snapshot snapshot;

    CachedShards(Directory directory, Duration ttl, Clocks clocks) {
        this.directory = directory;
        this.ttlNanos = ttl.toNanos();
        this.clocks = clocks;
    }

    private record Snapshot(Map<ShardId, Optional<Shard>> shards, long freshUntil, boolean invalid) {}

    Optional<Shard> find(ShardId shard) {
        Snapshot now = snapshot;
        if (now == null || now.invalid) {
            now = read();
        } else if (clocks.nanoTime() - now.freshUntil >= 0 && reading.tryAcquire()) {
            now = readAgain(now);
        }
        Optional<Shard> found = now.shards.get(shard);
        // a shard that was added a moment ago is not in the list yet
        return found != null ? found : directory.shard(shard);
    }

    void refresh() {
        Snapshot now = snapshot;
        if (now != null) {
            snapshot = new Snapshot(now.shards, now.freshUntil, true);
        }
    }

    private Snapshot readAgain(Snapshot old) {
        try {
            return read();
        } catch (DirectoryUnavailableException e) {
            log.debug(
                    "directory - is unreachable, the list of shards of earlier is used (shards={})",
                    old.shards.size(),
                    e);
            Snapshot kept = new Snapshot(old.shards, clocks.nanoTime() + ttlNanos, false);
            snapshot = kept;
            return kept;
        } finally {
            reading.release();
        }
    }

    private Snapshot read() {
        Map<ShardId, Optional<Shard>> shards = new HashMap<>();
        for (Shard shard : directory.shards()) {
            shards.put(shard.id(), Optional.of(shard));
        }
        Snapshot read = new Snapshot(shards, clocks.nanoTime() + ttlNanos, false);
        snapshot = read;
        return read;
    }
}
