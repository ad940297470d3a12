package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings every unfinished move to an end whose mover is gone. */
record Recovery(ThisMover mover) {
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);
    private static final Duration ONE_TRY = Duration.ofMillis(1);

    List<MoveReport> run() {
        List<MoveReport> reports = new ArrayList<>();
        Set<ShardId> failing = new HashSet<>();
        for (MoveRecord move : expired()) {
            boolean hopeless = failing.contains(move.source()) || failing.contains(move.target());
            settle(move, hopeless ? impatient() : mover.parts()).ifPresent(report -> {
                reports.add(report);
                if (report.outcome() == MoveReport.Outcome.UNSETTLED) {
                    failing.add(move.source());
                    failing.add(move.target());
                }
            });
        }
        return reports;
    }

    /** Tenants that nobody owns come first: those of a move that has flipped. */
    private List<MoveRecord> expired() {
        return mover.parts().journal().unfinished().stream()
                .filter(MoveRecord::leaseExpired)
                .sorted(Comparator.comparing(move -> move.phase().beforeFlip() || move.phase() == MovePhase.ABORTING))
                .toList();
    }

    /** Where one move has waited for a shard in vain, the others have a try each: whoever calls again tries again. */
    private MoveParts impatient() {
        MoveParts p = mover.parts();
        StepTimes times = p.config().steps().reachPatience(ONE_TRY);
        return new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                p.pools(),
                p.tables(),
                p.clocks(),
                p.config().steps(times));
    }

    /** One that cannot be settled, for whatever reason, keeps none of the others waiting. */
    private Optional<MoveReport> settle(MoveRecord unfinished, MoveParts parts) {
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
