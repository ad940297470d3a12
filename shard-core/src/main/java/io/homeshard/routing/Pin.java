package io.homeshard.routing;

import io.homeshard.model.Route;

/** A route pinned to a scope. Its shard may refuse it on any thread that uses a connection of the scope. */
final class Pin {
    private final Route route;
    private final long pinnedAt;
    private volatile boolean refused;

    Pin(Route route, long pinnedAt) {
        this.route = route;
        this.pinnedAt = pinnedAt;
    }

    Route route() {
        return route;
    }

    long pinnedAt() {
        return pinnedAt;
    }

    boolean refused() {
        return refused;
    }

    void refuse() {
        refused = true;
    }
}
