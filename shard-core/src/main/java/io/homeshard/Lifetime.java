package io.homeshard;

import io.homeshard.model.HomeshardClosedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asked before each use whether this Homeshard is still open; knows what ends with it. Thread-safe. */
final class Lifetime {
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Runnable> ends = new CopyOnWriteArrayList<>();

    /** Ends are run in the order in which they were added; they do not throw. */
    void atEnd(Runnable end) {
        ends.add(end);
    }

    void requireOpen() {
        if (over.get()) {
            throw new HomeshardClosedException();
        }
    }

    /** From here on nothing begins. Does nothing the second time. */
    void end() {
        if (over.compareAndSet(false, true)) {
            ends.forEach(Runnable::run);
        }
    }
}
