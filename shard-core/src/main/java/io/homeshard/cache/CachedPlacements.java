package io.homeshard.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.homeshard.directory.Directory;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Staleness. An entry is used without a question until revalidateAfter; then one thread reads the directory and the
 * others wait for it. While the directory is down an entry lives on up to maxReadStaleness, and the directory is asked
 * again only every RETRY. None of this is what keeps writes safe: the guard on the shard is.
 *
 * Order. Reads, notifications and refusals race. Entries carry the map version, and remember() is the only place that
 * replaces one: a lower version never replaces a higher one. An "unknown" that was read carries no version; it replaces
 * only the entry that was there when its read began.
 */
final class CachedPlacements implements PlacementCache {
    private static final Logger log = LoggerFactory.getLogger(CachedPlacements.class);

    /** How long an unreachable directory is not asked again for entries that may still be used. */
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final Directory directory;
    private final CacheConfig config;
    private final Clocks clocks;
    private final ShardListener listener;
    private final Cache<TenantId, Entry> known;
    private final Cache<TenantId, Entry> unknown;
    private final SingleFlight<TenantId, Optional<Placement>> flights = new SingleFlight<>();
    private final CachedShards shards;
    /** Monotonic time before which the directory is not asked needlessly; null while it answers. */
    private volatile @Nullable Long downUntil;

    CachedPlacements(Directory directory, CacheConfig config, Clocks clocks, ShardListener listener) {
        this.directory = directory;
        this.config = config;
        this.clocks = clocks;
        this.listener = listener;
        this.known = Caffeine.newBuilder().maximumSize(config.maximumSize()).build();
        this.unknown = Caffeine.newBuilder().maximumSize(config.maximumSize()).build();
        this.shards = new CachedShards(directory, config.shardTtl(), clocks);
    }

    @Override
    public Optional<Placement> find(TenantId tenant) {
        long now = clocks.nanoTime();
        Entry entry = entry(tenant);
        if (entry != null && (entry.fresh(now) || (directoryDown(now) && usable(entry, now)))) {
            return entry.found();
        }
        try {
            return flights.load(tenant, () -> readUnlessFresh(tenant));
        } catch (DirectoryUnavailableException e) {
            Entry old = known.getIfPresent(tenant);
            if (old != null && usable(old, clocks.nanoTime())) {
                log.debug("tenant {} - directory is unreachable, the placement of earlier is used", tenant, e);
                return old.found();
            }
            throw e;
        }
    }

    @Override
    public Optional<Placement> known(TenantId tenant) {
        Entry entry = known.getIfPresent(tenant);
        return entry == null ? Optional.empty() : entry.found();
    }

    @Override
    public Optional<Shard> shard(ShardId shard) {
        return shards.find(shard);
    }

    @Override
    public List<Shard> shards() {
        return directory.shards();
    }

    @Override
    public void forget(Route route) {
        changeUnlessNewer(route, Entry::refusedAt);
        directory.forget(route);
    }

    @Override
    public void doubt(Route route) {
        changeUnlessNewer(route, Entry::stale);
        directory.doubt(route);
    }

    /**
     * News that a tenant is being created may arrive after it was created: they say that there is something to read, and
     * are not remembered.
     */
    @Override
    public void accept(Placement placement) {
        if (placement.state() == PlacementState.PROVISIONING) {
            refresh(placement.tenant());
            return;
        }
        remember(placement.tenant(), Optional.of(placement), placement.mapVersion(), null);
    }

    @Override
    public void removed(TenantId tenant, long mapVersion) {
        remember(tenant, Optional.empty(), mapVersion, null);
    }

    @Override
    public void refresh(TenantId tenant) {
        flights.abandon(tenant);
        long now = clocks.nanoTime();
        known.asMap().computeIfPresent(tenant, (key, entry) -> entry.stale(now));
        unknown.asMap().computeIfPresent(tenant, (key, entry) -> entry.stale(now));
    }

    @Override
    public void reset() {
        flights.abandonAll();
        long now = clocks.nanoTime();
        unknown.invalidateAll();
        known.asMap().replaceAll((tenant, entry) -> entry.withoutVersion(now));
    }

    @Override
    public void refreshShards() {
        shards.refresh();
    }

    private void changeUnlessNewer(Route route, BiFunction<Entry, Long, Entry> change) {
        flights.abandon(route.tenant());
        long now = clocks.nanoTime();
        known.asMap().computeIfPresent(route.tenant(), (tenant, entry) -> {
            boolean same = entry.found().map(Placement::generation).orElse(0L) <= route.generation();
            return same ? change.apply(entry, now) : entry;
        });
    }

    private @Nullable Entry entry(TenantId tenant) {
        Entry entry = known.getIfPresent(tenant);
        return entry != null ? entry : unknown.getIfPresent(tenant);
    }

    private boolean usable(Entry entry, long now) {
        return entry.found().isPresent()
                && !entry.refused()
                && now - entry.loadedAt() <= config.maxReadStaleness().toNanos();
    }

    private boolean directoryDown(long now) {
        Long until = downUntil;
        return until != null && now - until < 0;
    }

    /** A thread that missed may come only after another's read has ended: then its answer is there. */
    private Optional<Placement> readUnlessFresh(TenantId tenant) {
        Entry entry = entry(tenant);
        return entry != null && entry.fresh(clocks.nanoTime()) ? entry.found() : read(tenant);
    }

    private Optional<Placement> read(TenantId tenant) {
        Entry before = entry(tenant);
        Optional<Placement> found;
        try {
            found = directory.find(tenant);
            downUntil = null;
        } catch (DirectoryUnavailableException e) {
            downUntil = clocks.nanoTime() + RETRY_NANOS;
            throw e;
        }
        return remember(tenant, found, found.map(Placement::mapVersion).orElse(0L), before);
    }

    /** Keeps what was learnt unless something newer is known; gives back what is known then. */
    private Optional<Placement> remember(
            TenantId tenant, Optional<Placement> found, long version, @Nullable Entry before) {
        long now = clocks.nanoTime();
        Entry next = new Entry(found, version, now, now + ttl(found), false);
        Entry[] old = new Entry[1];
        // both caches change inside this one compute, so that news and reads of one tenant are in line
        Entry kept = known.asMap().compute(tenant, (key, entry) -> {
            old[0] = entry;
            return found.isPresent() ? keepFound(key, entry, next, before) : keepUnknown(key, entry, next, before);
        });
        if (old[0] != null && (kept == null || kept.mapVersion() > old[0].mapVersion())) {
            listener.placementChanged(tenant, kept == null ? version : kept.mapVersion());
        }
        return kept == null ? Optional.empty() : kept.found();
    }

    private @Nullable Entry keepFound(TenantId tenant, @Nullable Entry entry, Entry next, @Nullable Entry before) {
        Entry tomb = unknown.getIfPresent(tenant);
        if (tomb != null && tomb.mapVersion() > next.mapVersion()) {
            return null;
        }
        if (tomb != null) {
            unknown.invalidate(tenant);
        }
        if (entry == null || entry.mapVersion() < next.mapVersion()) {
            return next;
        }
        // an equal version lifts a refusal only when it was read after the refusal
        boolean outdated = entry.mapVersion() > next.mapVersion() || (entry.refused() && !entry.equals(before));
        return outdated ? entry : next;
    }

    private @Nullable Entry keepUnknown(TenantId tenant, @Nullable Entry entry, Entry next, @Nullable Entry before) {
        if (entry != null) {
            boolean announced = next.mapVersion() > 0;
            if (announced ? entry.mapVersion() > next.mapVersion() : !entry.equals(before)) {
                return entry;
            }
        }
        unknown.asMap().merge(tenant, next, Entry::confirmedBy);
        return null;
    }

    /** Only a settled placement is believed for long. */
    private long ttl(Optional<Placement> found) {
        PlacementState state = found.map(Placement::state).orElse(null);
        boolean settled = state == PlacementState.ACTIVE || state == PlacementState.MOVING;
        return settled
                ? jittered(config.revalidateAfter().toNanos())
                : config.negativeTtl().toNanos();
    }

    private static long jittered(long nanos) {
        return nanos - (long) (nanos * 0.1 * ThreadLocalRandom.current().nextDouble());
    }
}
