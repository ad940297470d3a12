package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Adds up what all streams do, and tells the listener, one call at a time. Thread-safe. */
final class CopyProgress {
    private final CopyListener listener;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as the threshold and what to do there is. */
    private long total;

    private long threshold = Long.MAX_VALUE;
    private Runnable beyond = () -> {};

    /** Guarded by the lock, as what is in it is; in the order in which tables are to be reported. */
    private final Map<TableName, Tally> tables = new LinkedHashMap<>();

    private static final class Tally {
        private int begun;
        private int unsent;
        private int uncommitted;
        private long rows;
        private long bytes;
    }

    CopyProgress(CopyListener listener, List<TableName> order) {
        this.listener = listener;
        order.forEach(name -> tables.put(name, new Tally()));
    }

    /** Does something once, in the thread that brings the sum of all tables to so many bytes. */
    void beyond(long bytes, Runnable work) {
        locked(() -> {
            threshold = bytes;
            beyond = work;
        });
    }

    /** Told of all parts before any is started. */
    void expect(CopyPart part) {
        locked(() -> {
            Tally tally = of(part.name());
            tally.unsent++;
            tally.uncommitted++;
        });
    }

    void started(CopyPart part) {
        locked(() -> {
            if (of(part.name()).begun++ == 0) {
                listener.tableStarted(part.name());
            }
        });
    }

    void moved(TableName table, long rows, long bytes) {
        locked(() -> {
            Tally tally = of(table);
            tally.rows += rows;
            tally.bytes += bytes;
            listener.progress(table, tally.rows, tally.bytes);
            total += bytes;
            if (total >= threshold) {
                threshold = Long.MAX_VALUE;
                beyond.run();
            }
        });
    }

    void waiting() {
        locked(listener::waiting);
    }

    void sent(CopyPart part) {
        locked(() -> {
            if (--of(part.name()).unsent == 0) {
                listener.tableSent(part.name());
            }
        });
    }

    void committed(CopyPart part) {
        locked(() -> {
            Tally tally = of(part.name());
            if (--tally.uncommitted == 0) {
                listener.tableCopied(new CopiedTable(part.name(), tally.rows, tally.bytes));
            }
        });
    }

    CopyReport report() {
        List<CopiedTable> copied = new ArrayList<>();
        locked(() -> tables.forEach((name, tally) -> copied.add(new CopiedTable(name, tally.rows, tally.bytes))));
        return new CopyReport(copied);
    }

    private Tally of(TableName table) {
        return tables.computeIfAbsent(table, name -> new Tally());
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
