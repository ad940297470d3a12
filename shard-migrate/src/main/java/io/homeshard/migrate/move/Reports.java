package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveStep;
import io.homeshard.migrate.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the report of a move out of its journal, whoever ran which part of it. */
record Reports(MoveParts parts) {
    private static final Logger log = LoggerFactory.getLogger(Reports.class);

    MoveReport of(UUID move) {
        MoveRecord record = parts.journal()
                .find(move)
                .orElseThrow(() -> new MoveException(move, "move " + move + " - is not in the journal", null));
        return of(record);
    }

    /** The same, and keeps it with the move. */
    MoveReport keep(UUID move) {
        MoveReport report = of(move);
        parts.journal().report(move, report.toJson());
        return report;
    }

    /** A journal that cannot be read keeps nobody from settling the move; what can be told is told. */
    private MoveReport of(MoveRecord move) {
        try {
            return exactly(move);
        } catch (RuntimeException e) {
            log.warn("move {} - its steps cannot be read", move.id(), e);
            return bare(move, outcome(move.phase()), "its steps cannot be read: " + e.getMessage());
        }
    }

    /** The same, of a journal that can be read. */
    MoveReport exactly(MoveRecord move) {
        List<MoveStep> steps = parts.journal().steps(move.id());
        return new MoveReport(
                move.id(),
                move.tenant(),
                move.source(),
                move.target(),
                move.generation(),
                outcome(move.phase()),
                timings(steps),
                evidence(steps).tables(),
                freezeMillis(steps),
                move.reason());
    }

    /** Of a move that has come to its end, where the journal cannot be asked. */
    static MoveReport moved(MoveRecord move, String problem) {
        return bare(move, MoveReport.Outcome.MOVED, problem);
    }

    /** Of a move that could not be settled now. */
    static MoveReport unsettled(MoveRecord move, String problem) {
        return bare(move, MoveReport.Outcome.UNSETTLED, problem);
    }

    /** Of a move whose old rows could not be deleted now. */
    static MoveReport uncleaned(MoveRecord move, String problem) {
        return bare(move, outcome(move.phase()), problem);
    }

    private static MoveReport bare(MoveRecord move, MoveReport.Outcome outcome, String problem) {
        return new MoveReport(
                move.id(),
                move.tenant(),
                move.source(),
                move.target(),
                move.generation(),
                outcome,
                List.of(),
                List.of(),
                null,
                problem);
    }

    /** What was compared in the last attempt that was verified. */
    static Evidence evidence(List<MoveStep> steps) {
        MoveStep redone = last(steps, MovePhase.FLIPPED, "tables");
        MoveStep verified = redone != null ? redone : last(steps, MovePhase.VERIFIED, "tables");
        return verified == null ? Evidence.NONE : Evidence.read(verified.detail());
    }

    /** The last step of a phase whose detail has a member, or null. */
    static @Nullable MoveStep last(List<MoveStep> steps, MovePhase phase, String member) {
        MoveStep found = null;
        for (MoveStep step : steps) {
            if (step.phase() == phase && JsonObject.parse(step.detail()).names().contains(member)) {
                found = step;
            }
        }
        return found;
    }

    private static MoveReport.Outcome outcome(MovePhase phase) {
        return switch (phase) {
            case ACTIVATED, RETAINED, CLEANING -> MoveReport.Outcome.MOVED;
            case DONE -> MoveReport.Outcome.CLEANED;
            case ABORTED -> MoveReport.Outcome.ABORTED;
            default -> MoveReport.Outcome.UNSETTLED;
        };
    }

    private static List<PhaseTiming> timings(List<MoveStep> steps) {
        List<PhaseTiming> timings = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            long millis = i + 1 < steps.size()
                    ? Duration.between(steps.get(i).at(), steps.get(i + 1).at()).toMillis()
                    : 0;
            timings.add(new PhaseTiming(steps.get(i).phase(), steps.get(i).at(), millis));
        }
        return timings;
    }

    private static @Nullable Long freezeMillis(List<MoveStep> steps) {
        MoveStep measured = last(steps, MovePhase.ACTIVATED, "freezeMillis");
        if (measured != null) {
            return JsonObject.parse(measured.detail()).integerOrNull("freezeMillis");
        }
        MoveStep frozen = first(steps, MovePhase.FREEZING);
        MoveStep activated = first(steps, MovePhase.ACTIVATED);
        return frozen == null || activated == null
                ? null
                : Long.valueOf(Duration.between(frozen.at(), activated.at()).toMillis());
    }

    private static @Nullable MoveStep first(List<MoveStep> steps, MovePhase phase) {
        return steps.stream().filter(step -> step.phase() == phase).findFirst().orElse(null);
    }
}
