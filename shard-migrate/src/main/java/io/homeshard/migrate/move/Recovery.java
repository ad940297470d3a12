package io.homeshard.migrate.move;

import io.homeshard.directory.MoveRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings every unfinished move to an end whose mover is gone. */
record Recovery(ThisMover mover) {
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    List<MoveReport> run() {
        List<MoveReport> reports = new ArrayList<>();
        for (MoveRecord unfinished : mover.parts().journal().unfinished()) {
            if (unfinished.leaseExpired()) {
                settle(unfinished).ifPresent(reports::add);
            }
        }
        return reports;
    }

    /** One that cannot be settled, for whatever reason, keeps none of the others waiting. */
    private Optional<MoveReport> settle(MoveRecord unfinished) {
        MoveParts parts = mover.parts();
        MoveRecord move = unfinished;
        try {
            long since = parts.clocks().nanoTime();
            Optional<MoveRecord> taken =
                    mover.takeOver(move.id(), parts.config().lease().duration());
            if (taken.isEmpty() || taken.get().phase().finished()) {
                return Optional.empty();
            }
            move = taken.get();
            try (Lease lease = mover.hold(move, since)) {
                new MoveRun(parts, move, lease, mover.watcher(MoveListener.NONE))
                        .settle("its mover was lost in phase " + move.phase());
                return Optional.of(mover.keepReport(move.id()));
            }
        } catch (RuntimeException e) {
            log.warn("move {} - could not be settled", move.id(), e);
            return Optional.of(Reports.unsettled(move, String.valueOf(e.getMessage())));
        }
    }
}
