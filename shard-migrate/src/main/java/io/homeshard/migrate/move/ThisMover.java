package io.homeshard.migrate.move;

import io.homeshard.directory.MoveRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a mover: what it is made of, and the name under which it holds leases. Thread-safe.
 *
 * @param parts what it is made of
 * @param steps through which all its effects go
 * @param owner its name in the directory
 * @param running the moves that it runs now
 */
record ThisMover(MoveParts parts, Steps steps, String owner, RunningMoves running) {
    private static final Logger log = LoggerFactory.getLogger(ThisMover.class);

    static ThisMover create(MoveParts parts, StepHook hook) {
        return new ThisMover(
                parts,
                new Steps(hook),
                "mover " + ProcessHandle.current().pid() + " " + UUID.randomUUID(),
                new RunningMoves());
    }

    /** Holds the lease of a move that was just granted; see {@link Lease#hold}. */
    Lease hold(MoveRecord move, long since) {
        return running.hold(Lease.hold(parts, MoveSession.ticket(move), since));
    }

    MoveRecord find(UUID move) {
        return parts.journal()
                .find(move)
                .orElseThrow(() -> new MoveException(move, "move " + move + " - is not in the journal", null));
    }

    /** The move under a higher epoch, for as long as the lease lasts; empty when it is in other hands. */
    Optional<MoveRecord> takeOver(UUID move, Duration lease) {
        return steps.run(Step.TAKE_OVER, () -> parts.journal().takeOver(move, owner, lease, false));
    }

    /** The same for a person who overrules whoever has the move; what that one has under way is fenced off. */
    MoveRecord seize(UUID move) {
        return steps.run(
                        Step.TAKE_OVER,
                        () -> parts.journal()
                                .takeOver(move, owner, parts.config().lease().duration(), true))
                .orElseThrow(() -> new MoveException(move, "move " + move + " - is over, nothing was done", null));
    }

    /** Work on one session. */
    @FunctionalInterface
    interface Work {
        void on(MoveSession session) throws SQLException;
    }

    /**
     * Does what was asked for a move that was just taken over, and gives its lease back.
     *
     * @param taken the move
     * @param since monotonic time before it was asked for
     * @param failed what is said when it fails, before why
     * @param work what to do
     * @return the report, which is kept
     * @throws MoveException when it failed; the report is kept all the same
     */
    MoveReport run(MoveRecord taken, long since, String failed, Work work) {
        try (Lease lease = hold(taken, since)) {
            lease.giveBackAtClose();
            try (MoveSession session = new MoveSession(parts, taken, lease, watcher(MoveListener.NONE))) {
                work.on(session);
            }
        } catch (SQLException | RuntimeException e) {
            MoveException failure = e instanceof MoveException told
                    ? told
                    : new MoveException(taken.id(), "move " + taken.id() + " - " + failed + ": " + e.getMessage(), e);
            keepReport(taken.id(), failure);
            throw failure;
        }
        return keepReport(taken.id());
    }

    Watcher watcher(MoveListener listener) {
        return new Watcher(listener, steps);
    }

    MoveReport keepReport(UUID move) {
        MoveReport report = steps.run(Step.KEEP_REPORT, () -> new Reports(parts).keep(move));
        if (report.outcome() == MoveReport.Outcome.MOVED || report.outcome() == MoveReport.Outcome.CLEANED) {
            new Certificates(parts, steps).ofIfPossible(move);
        }
        return report;
    }

    /** The same of a move that has just come to its end: whatever is in the way of the report, the tenant has moved. */
    MoveReport reportMoved(MoveRecord move) {
        try {
            return keepReport(move.id());
        } catch (RuntimeException e) {
            log.warn("move {} - the tenant has moved, but the report could not be kept yet", move.id(), e);
            return Reports.moved(move, "the report could not be kept: " + e.getMessage());
        }
    }

    /** Keeps the report of a move that failed; that it could not be kept is told with the failure. */
    void keepReport(UUID move, MoveException failure) {
        try {
            keepReport(move);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
