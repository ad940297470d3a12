package io.homeshard.guard.matrix;

import io.homeshard.guard.MoverToken;
import io.homeshard.model.TenantId;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tenant that no cell has used before, with the move that will be made with it.
 *
 * @param name the tenant
 * @param token its mover
 * @param generation the one that the shard owns, or is about to own
 */
record Subject(String name, MoverToken token, long generation) {

    private static final AtomicLong NUMBERS = new AtomicLong(1000);

    static Subject fresh(TenantType type) {
        return named(type.tenant(NUMBERS.incrementAndGet()));
    }

    /** A tenant of the first generation that nobody has moved. */
    static Subject named(String name) {
        return new Subject(name, nextToken(TenantId.of(name)), 1);
    }

    /** The same tenant under a later move, which an earlier one has not brought away. */
    Subject again() {
        return new Subject(name, nextToken(token.tenant()), generation);
    }

    /** The same tenant under a later move, which brings it back. */
    Subject returning() {
        return new Subject(name, nextToken(token.tenant()), generation + 2);
    }

    private static MoverToken nextToken(TenantId tenant) {
        return new MoverToken(tenant, UUID.randomUUID(), NUMBERS.incrementAndGet(), 1);
    }
}
