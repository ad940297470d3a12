package io.homeshard.examples.quickstart;

import io.homeshard.model.TenantId;
import java.util.Collection;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the clients of the load saw, apart from any database. Thread-safe. */
final class ClientLog {
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<UUID> inDoubt = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final AtomicInteger othersFailed = new AtomicInteger();
    private final LongAdder frozenRetries = new LongAdder();
    private final LongAdder count = new LongAdder();
    private final LongAdder countOfMoving = new LongAdder();
    private final TenantId moving;

    ClientLog(TenantId moving) {
        this.moving = moving;
    }

    void acknowledged(Acknowledged order) {
        acknowledged.add(order);
        count.increment();
        if (order.tenant().equals(moving)) {
            countOfMoving.increment();
        }
    }

    void inDoubt(UUID order) {
        inDoubt.add(order);
    }

    void retried() {
        frozenRetries.increment();
    }

    void failed(TenantId tenant, Throwable failure) {
        if (!tenant.equals(moving)) {
            othersFailed.incrementAndGet();
        }
        String text = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        failures.computeIfAbsent(text, ignored -> new LongAdder()).increment();
    }

    long count() {
        return count.sum();
    }

    long countOfMoving() {
        return countOfMoving.sum();
    }

    Collection<Acknowledged> acknowledged() {
        return acknowledged;
    }

    Collection<UUID> inDoubt() {
        return inDoubt;
    }

    int othersFailed() {
        return othersFailed.get();
    }

    long retries() {
        return frozenRetries.sum();
    }

    ConcurrentHashMap<String, LongAdder> failures() {
        return failures;
    }
}
