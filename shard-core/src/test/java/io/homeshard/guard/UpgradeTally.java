package io.homeshard.guard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What came of the writes. */
final class UpgradeTally {
    private final AtomicLong rightful = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicInteger passed = new AtomicInteger();
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

    void rightful() {
        rightful.incrementAndGet();
    }

    void refused() {
        refused.incrementAndGet();
    }

    /** A write that had to be refused was not. */
    void passed(String table) {
        passed.incrementAndGet();
        note("passed in " + table);
    }

    /** A rightful write failed, or a wrong one failed otherwise than by the guard. */
    void broken(String what) {
        note(what);
    }

    private void note(String what) {
        if (wrong.size() < 20) {
            wrong.add(what);
        }
    }

    long rightfulWrites() {
        return rightful.get();
    }

    long refusals() {
        return refused.get();
    }

    int passes() {
        return passed.get();
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }
}
