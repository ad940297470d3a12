package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When old rows may be deleted, and by whom; {@link Cleaning} deletes them. */
record CleaningCalls(ThisMover mover) {
    private static final Logger log = LoggerFactory.getLogger(CleaningCalls.class);
    private static final Duration INSTANT = Duration.ofMillis(1);

    MoveReport clean(UUID move, boolean now) {
        MoveParts parts = mover.parts();
        MoveRecord before = mover.find(move);
        if (before.phase() == MovePhase.DONE) {
            return new Reports(parts).of(move);
        }
        if (before.phase() != MovePhase.RETAINED && before.phase() != MovePhase.CLEANING) {
            throw new MoveException(
                    move, "move " + move + " - has no old rows to clean (phase=" + before.phase() + ")", null);
        }
        if (before.superseded()) {
            throw new MoveException(move, "move " + move + " - a later move has taken its old rows over", null);
        }
        boolean waits = before.phase() == MovePhase.RETAINED && !now;
        if (waits) {
            // before the take-over, which leaves traces
            requireRetentionOver(before, parts.journal().now());
        }
        long since = parts.clocks().nanoTime();
        // briefly: who cleans needs an epoch of its own, and a refusal must not keep the next caller waiting
        MoveRecord taken = mover.takeOver(move, INSTANT)
                .orElseThrow(() -> new MoveException(
                        move, "move " + move + " - is being cleaned by " + before.leaseOwner(), null));
        if (taken.phase() == MovePhase.CLEANING) {
            mover.steps()
                    .run(
                            Step.KEEP_LEASE,
                            () -> parts.journal()
                                    .renew(
                                            MoveSession.ticket(taken),
                                            parts.config().lease().duration()));
        } else if (waits) {
            requireRetentionOver(taken, parts.journal().now());
        }
        run(taken, since);
        return mover.keepReport(move);
    }

    List<MoveReport> cleanDue() {
        List<MoveReport> reports = new ArrayList<>();
        Instant now = mover.parts().journal().now();
        for (MoveRecord move : mover.parts().journal().retained()) {
            if (due(move, now)) {
                reports.add(cleanAlone(move));
            }
        }
        return reports;
    }

    private boolean due(MoveRecord move, Instant now) {
        return move.phase() == MovePhase.CLEANING ? move.leaseExpired() : !now.isBefore(keptUntil(move));
    }

    private MoveReport cleanAlone(MoveRecord move) {
        try {
            return clean(move.id(), false);
        } catch (RuntimeException e) {
            log.warn("move {} - could not be cleaned", move.id(), e);
            return Reports.uncleaned(move, String.valueOf(e.getMessage()));
        }
    }

    private void run(MoveRecord move, long since) {
        MoveParts parts = mover.parts();
        Watcher watcher = mover.watcher(MoveListener.NONE);
        try (Lease lease = Lease.hold(parts, MoveSession.ticket(move), since);
                MoveSession session = new MoveSession(parts, move, lease, watcher)) {
            new Fencing(session).source();
            new Cleaning(session).run();
        } catch (SQLException | MoveStopped e) {
            throw new MoveException(move.id(), "move " + move.id() + " - was not cleaned: " + e.getMessage(), e);
        }
    }

    private Instant keptUntil(MoveRecord move) {
        return move.phaseSince().plus(mover.parts().config().retention());
    }

    private void requireRetentionOver(MoveRecord move, Instant clock) {
        Instant over = keptUntil(move);
        if (clock.isBefore(over)) {
            throw new MoveException(
                    move.id(),
                    "move " + move.id() + " - old rows are kept until " + over + " (retention="
                            + mover.parts().config().retention() + ", now=" + clock + ")",
                    null);
        }
    }
}
