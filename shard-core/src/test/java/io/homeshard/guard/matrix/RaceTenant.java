package io.homeshard.guard.matrix;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A tenant of a race, shared by all writers and the mover.
 *
 * @param name the tenant
 * @param generation the latest that was owned here, as the map of a router would have it
 */
record RaceTenant(String name, AtomicLong generation) {
    static RaceTenant of(Subject subject) {
        return new RaceTenant(subject.name(), new AtomicLong(subject.generation()));
    }
}
