package io.homeshard.migrate.copy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Deals units out to the streams, a stage when the one before it is committed. Ends early at the first failure. Thread-safe. */
final class WorkQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** All that follows is guarded by the lock. */
    private final Deque<List<CopyUnit>> stages;

    private final Deque<CopyUnit> ready = new ArrayDeque<>();
    private int running;
    private @Nullable Throwable failure;

    WorkQueue(List<List<CopyUnit>> stages) {
        this.stages = new ArrayDeque<>(stages);
    }

    /** How many units have not been dealt out yet. */
    int units() {
        lock.lock();
        try {
            return ready.size() + stages.stream().mapToInt(List::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /** The next unit, when there is one to be had; empty when no more will come. Waits for a stage to end. */
    Optional<CopyUnit> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (failure == null) {
                if (ready.isEmpty() && running == 0 && !stages.isEmpty()) {
                    ready.addAll(stages.remove());
                    changed.signalAll();
                }
                CopyUnit unit = ready.poll();
                if (unit != null) {
                    running++;
                    return Optional.of(unit);
                }
                if (running == 0 && stages.isEmpty()) {
                    return Optional.empty();
                }
                changed.await();
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Told that a unit is committed. */
    void done() {
        lock.lock();
        try {
            running--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the work. Returns whether this was the first failure. */
    boolean fail(Throwable cause) {
        lock.lock();
        try {
            Throwable earlier = failure;
            if (earlier == null) {
                failure = cause;
            } else if (earlier != cause) {
                earlier.addSuppressed(cause);
            }
            changed.signalAll();
            return earlier == null;
        } finally {
            lock.unlock();
        }
    }

    /** What ended the work early. */
    Optional<Throwable> failure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure);
        } finally {
            lock.unlock();
        }
    }
}
