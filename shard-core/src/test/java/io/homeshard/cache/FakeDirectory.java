package io.homeshard.cache;

import io.homeshard.directory.Directory;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A directory in memory that counts reads, can be down, and runs a hook after it has read and before it answers. */
final class FakeDirectory implements Directory {
    final Map<TenantId, Placement> placements = new ConcurrentHashMap<>();
    final Map<ShardId, Shard> shards = new ConcurrentHashMap<>();
    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger shardReads = new AtomicInteger();
    volatile boolean down;
    volatile Runnable beforeAnswer = () -> {};
    volatile Runnable beforeShards = () -> {};

    @Override
    public Optional<Placement> find(TenantId tenant) {
        reads.incrementAndGet();
        Optional<Placement> found = Optional.ofNullable(placements.get(tenant));
        beforeAnswer.run();
        refuseWhenDown();
        return found;
    }

    @Override
    public Optional<Shard> shard(ShardId shard) {
        refuseWhenDown();
        return Optional.ofNullable(shards.get(shard));
    }

    @Override
    public List<Shard> shards() {
        shardReads.incrementAndGet();
        List<Shard> found = List.copyOf(shards.values());
        beforeShards.run();
        refuseWhenDown();
        return found;
    }

    private void refuseWhenDown() {
        if (down) {
            throw new DirectoryUnavailableException("directory - is down", null);
        }
    }
}
