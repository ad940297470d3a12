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
 */
record Subject(String name, MoverToken token) {
    /** The generation that a subject is born with. */
    static final long GENERATION = 1;

    private static final AtomicLong NUMBERS = new AtomicLong(1000);

    static Subject fresh(TenantType type) {
        long number = NUMBERS.incrementAndGet();
        String name = type.tenant(number);
        return new Subject(name, new MoverToken(TenantId.of(name), UUID.randomUUID(), number, 1));
    }

    /** The same tenant under a later move. */
    Subject again() {
        MoverToken next = new MoverToken(token.tenant(), UUID.randomUUID(), NUMBERS.incrementAndGet(), 1);
        return new Subject(name, next);
    }
}
