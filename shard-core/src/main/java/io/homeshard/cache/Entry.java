package io.homeshard.cache;

import io.homeshard.model.Placement;
import java.util.Optional;

/**
 * What was known of a tenant at one moment. Immutable.
 *
 * @param found the placement, or empty for "unknown"; kept as it is handed out, so that a hit allocates nothing
 * @param mapVersion version that brought it; 0 for an "unknown" that was read rather than announced
 * @param loadedAt monotonic time of the read that confirmed it
 * @param freshUntil monotonic time of the next read
 * @param refused whether a shard has refused this placement: then it is not used again, directory up or down
 */
record Entry(Optional<Placement> found, long mapVersion, long loadedAt, long freshUntil, boolean refused) {
    boolean fresh(long now) {
        return !refused && now - freshUntil < 0;
    }

    Entry stale(long now) {
        return new Entry(found, mapVersion, loadedAt, now, refused);
    }

    Entry withoutVersion(long now) {
        return new Entry(found, 0, loadedAt, now, refused);
    }

    Entry refusedAt(long now) {
        return new Entry(found, mapVersion, loadedAt, now, true);
    }

    /** A repeated "unknown" is younger, and keeps the version below which no placement is believed. */
    Entry confirmedBy(Entry later) {
        return new Entry(later.found, Math.max(mapVersion, later.mapVersion), later.loadedAt, later.freshUntil, false);
    }
}
