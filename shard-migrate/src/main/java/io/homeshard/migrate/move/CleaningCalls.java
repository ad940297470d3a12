package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When old rows may be deleted, and by whom; {@link Cleaning} deletes them. */
record CleaningCalls(ThisMover mover) {
    private static final Logger log = LoggerFactory.getLogger(CleaningCalls.class);

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
        MoveRecord taken = mover.takeOver(move, parts.config().lease().duration())
                .orElseThrow(() -> new MoveException(
                        move, "move " + move + " - is being cleaned by " + before.leaseOwner(), null));
        return mover.run(taken, since, "was not cleaned", session -> {
            if (waits && taken.phase() == MovePhase.RETAINED) {
                requireRetentionOver(taken, parts.journal().now());
            }
            new Fencing(session).source();
            new Cleaning(session).run();
        });
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
        return move.leaseExpired() && (move.phase() == MovePhase.CLEANING || !now.isBefore(keptUntil(move)));
    }

    private MoveReport cleanAlone(MoveRecord move) {
        try {
            return clean(move.id(), false);
        } catch (RuntimeException e) {
            log.warn("move {} - could not be cleaned", move.id(), e);
            return Reports.uncleaned(move, String.valueOf(e.getMessage()));
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
