package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.TableName;
import io.homeshard.observe.Clocks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the caller's listener, whose exceptions stop here; and measures how long the
 * tenant was frozen. Lives as long as the run of a move, over all of its sessions. Used by the thread that
 * runs the move; the streams of a copy tell it of their progress one at a time.
 */
final class Watcher {
    private static final Logger log = LoggerFactory.getLogger(Watcher.class);
    private final MoveListener listener;
    private final Steps steps;
    private final Map<TableName, CopyTracker.Amount> planned = new HashMap<>();
    private @Nullable CopyTracker tracker;
    private OptionalLong frozenAt = OptionalLong.empty();
    private OptionalLong freezeMillis = OptionalLong.empty();

    Watcher(MoveListener listener, Steps steps) {
        this.listener = listener;
        this.steps = steps;
    }

    void phase(MoveRecord move, MovePhase phase, Clocks clocks) {
        guarded(() -> listener.phase(new MoveRecord(
                move.id(),
                move.tenant(),
                move.source(),
                move.target(),
                move.generation(),
                phase,
                move.epoch(),
                move.attempt(),
                move.leaseOwner(),
                false,
                false,
                move.startedAt(),
                clocks.now(),
                move.reason())));
    }

    /** Told what the plan says of the tables. */
    void expect(List<PlannedTable> tables) {
        tables.forEach(table -> planned.put(table.table(), new CopyTracker.Amount(table.rows(), table.bytes())));
    }

    /** Told that a copy begins; where there is no plan, an earlier attempt may have said how much there is. */
    CopyTracker copying(MoveRecord move, MoveParts parts) {
        CopyTracker.Amount atLeast = planned.isEmpty()
                ? parts.journal()
                        .progress(move.id())
                        .map(before -> new CopyTracker.Amount(before.expectedRows(), before.expectedBytes()))
                        .orElse(CopyTracker.Amount.NONE)
                : CopyTracker.Amount.NONE;
        tracker = new CopyTracker(move, new CopyTracker.Expected(planned, atLeast), parts.clocks());
        return tracker;
    }

    void progress(TableName table, long rows, long bytes) {
        guarded(() -> listener.progress(table, rows, bytes));
        CopyTracker copy = tracker;
        if (copy != null) {
            copy.progress(table, new CopyTracker.Amount(rows, bytes));
            guarded(() -> listener.progress(copy.now()));
        }
    }

    void copied(TableName table, long rows, long bytes) {
        CopyTracker copy = tracker;
        if (copy != null) {
            copy.copied(table, new CopyTracker.Amount(rows, bytes));
        }
        progress(table, rows, bytes);
    }

    /** Told that all tables are copied. */
    void copyComplete() {
        CopyTracker copy = tracker;
        if (copy != null) {
            copy.complete();
            guarded(() -> listener.progress(copy.now()));
        }
    }

    /** Through which all effects of the run go. */
    Steps steps() {
        return steps;
    }

    /** Told when the source has acknowledged the freeze. */
    void frozen(long nanoTime) {
        frozenAt = OptionalLong.of(nanoTime);
    }

    /** Told when the target has acknowledged the activation. */
    void activated(long nanoTime) {
        if (frozenAt.isPresent()) {
            freezeMillis = OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(nanoTime - frozenAt.getAsLong()));
        }
    }

    /** From the acknowledged freeze to the acknowledged activation, when this run did both. */
    OptionalLong freezeMillis() {
        return freezeMillis;
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.warn("move listener threw; the move goes on", e);
        }
    }
}
