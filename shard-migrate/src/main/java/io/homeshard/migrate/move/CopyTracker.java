package io.homeshard.migrate.move;

import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.TableName;
import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the copy of a move is. What a table was expected to have is replaced by what it had as soon as that is known,
 * and by what has come when that is more. Thread-safe: the thread that renews the lease reads it while others copy.
 */
final class CopyTracker {
    private static final Logger log = LoggerFactory.getLogger(CopyTracker.class);
    private static final Duration LOG_EVERY = Duration.ofSeconds(5);
    private static final int PERCENT = 100;

    private final MoveRecord move;
    private final Expected expected;
    private final Clocks clocks;
    private final long begun;
    private final ReentrantLock lock = new ReentrantLock();
    /** The fields below are guarded by the lock. */
    private final Map<TableName, Amount> arrived = new HashMap<>();

    private final Map<TableName, Amount> total;
    private boolean complete;
    private long loggedAt;

    /** Rows and bytes. */
    record Amount(long rows, long bytes) {
        static final Amount NONE = new Amount(0, 0);

        Amount plus(Amount other) {
            return new Amount(rows + other.rows, bytes + other.bytes);
        }

        /** The greater one, of rows and of bytes. */
        Amount atLeast(Amount other) {
            return new Amount(Math.max(rows, other.rows), Math.max(bytes, other.bytes));
        }
    }

    /**
     * What is expected.
     *
     * @param tables by table, as the plan says
     * @param atLeast in all, where no plan is at hand
     */
    record Expected(Map<TableName, Amount> tables, Amount atLeast) {}

    CopyTracker(MoveRecord move, Expected expected, Clocks clocks) {
        this.move = move;
        this.expected = expected;
        this.clocks = clocks;
        this.begun = clocks.nanoTime();
        this.loggedAt = begun;
        this.total = new HashMap<>(expected.tables());
    }

    /** Rows and bytes of a table so far. */
    void progress(TableName table, Amount soFar) {
        lock.lock();
        try {
            arrived.put(table, soFar);
            total.merge(table, soFar, Amount::atLeast);
        } finally {
            lock.unlock();
        }
        logWhenDue();
    }

    /** A table is there; this is what it has. */
    void copied(TableName table, Amount all) {
        lock.lock();
        try {
            arrived.put(table, all);
            total.put(table, all);
        } finally {
            lock.unlock();
        }
        logWhenDue();
    }

    /** All tables are there. */
    void complete() {
        lock.lock();
        try {
            complete = true;
        } finally {
            lock.unlock();
        }
    }

    MoveProgress now() {
        lock.lock();
        try {
            Amount here = sum(arrived);
            Amount all = complete ? here : sum(total).atLeast(expected.atLeast());
            return new MoveProgress(
                    move.id(),
                    move.attempt(),
                    here.rows(),
                    here.bytes(),
                    all.rows(),
                    all.bytes(),
                    complete,
                    Duration.ofNanos(clocks.nanoTime() - begun),
                    clocks.now());
        } finally {
            lock.unlock();
        }
    }

    /** Also called when nothing arrives, so that a copy that stands still is seen to do so. */
    void logWhenDue() {
        if (!due()) {
            return;
        }
        MoveProgress now = now();
        log.info(
                "move {} - copying, {} % (rows={} of about {}, bytes={} of about {}, elapsed={}, left={})",
                move.id(),
                Math.round(now.share() * PERCENT),
                now.rows(),
                now.expectedRows(),
                now.bytes(),
                now.expectedBytes(),
                now.elapsed(),
                now.timeLeft().map(Duration::toString).orElse("unknown"));
    }

    private boolean due() {
        lock.lock();
        try {
            long time = clocks.nanoTime();
            if (complete || time - loggedAt < LOG_EVERY.toNanos()) {
                return false;
            }
            loggedAt = time;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static Amount sum(Map<TableName, Amount> amounts) {
        return amounts.values().stream().reduce(Amount.NONE, Amount::plus);
    }
}
