package io.homeshard.tenants;

import static io.homeshard.guard.OwnershipState.FROZEN;
import static io.homeshard.guard.OwnershipState.INCOMING;
import static io.homeshard.guard.OwnershipState.MOVED;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.tenants.TenantEvidence.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides where no shard owns the tenant. Each verdict but that of a move in the journal needs an answer of every shard:
 * else the owner could be among those that are silent. No I/O.
 */
record OwnerlessJudgement(TenantEvidence evidence) {
    private static final String LOST = "restore the shard, or make the tenant anew; nothing is changed here";

    List<Verdict> verdicts() {
        Optional<MoveRecord> unfinished = evidence.unfinished();
        if (unfinished.isPresent() && !forgotten(unfinished.get())) {
            MoveRecord move = unfinished.get();
            return List.of(Verdict.left(
                    DifferenceKind.MOVE_UNFINISHED,
                    move.source(),
                    "nobody owns it, a move has stopped in phase " + move.phase() + " (move=" + move.id() + ")",
                    Judgement.RECOVER));
        }
        List<Mend> first = new ArrayList<>();
        unfinished.ifPresent(move -> first.add(new Mend.Close(move, MovePhase.ABORTED)));
        return decide(first).map(verdict -> verdict.unless(evidence.silent())).stream()
                .toList();
    }

    /** A later move has been here, of which the journal has forgotten. */
    private boolean forgotten(MoveRecord move) {
        return evidence.in(FROZEN, MOVED, INCOMING).stream()
                .anyMatch(row -> !row.by(move.id()) && row.generation() > move.generation());
    }

    private Optional<Verdict> decide(List<Mend> first) {
        List<Row> left = evidence.in(FROZEN, MOVED);
        List<Row> arriving = evidence.in(INCOMING);
        if (left.isEmpty()) {
            return Optional.of(arriving.isEmpty() ? missing() : arrivingOnly(arriving.get(0), first));
        }
        Row source = left.get(0);
        Optional<Row> target = arriving.stream()
                .filter(row -> row.ownership().move() != null
                        && source.by(row.ownership().move()))
                .filter(row -> row.generation() == source.generation() + 1)
                .findFirst();
        if (target.isPresent() && target.get().verified() && goesForward(source, target.get())) {
            return Optional.of(forward(source, target.get(), first));
        }
        if (source.state() == FROZEN || target.isPresent()) {
            return Optional.of(back(source, first));
        }
        return gone(source);
    }

    /** The flip happened: the source says so, or the directory does. */
    private boolean goesForward(Row source, Row target) {
        Placement placement = evidence.placement();
        return source.state() == MOVED
                || (placement != null
                        && placement.shard().equals(target.shard())
                        && placement.generation() == target.generation());
    }

    private Verdict forward(Row source, Row target, List<Mend> first) {
        List<Mend> steps = new ArrayList<>(first);
        steps.add(new Mend.Place(target.shard(), target.generation()));
        if (source.state() == FROZEN) {
            steps.add(new Mend.MarkMoved(source, target.shard()));
        }
        steps.add(new Mend.Activate(target));
        return Verdict.mendable(
                DifferenceKind.NO_OWNER,
                target.shard(),
                source.text() + ", " + target.text() + " with all rows, " + evidence.placementText(),
                steps);
    }

    /** Nobody can have written since the source was frozen: no target was activated, or it could be found. */
    private Verdict back(Row source, List<Mend> first) {
        long generation = evidence.highest() + 1;
        List<Mend> steps = new ArrayList<>(first);
        steps.add(new Mend.Place(source.shard(), generation));
        steps.add(new Mend.Reopen(source, generation));
        return Verdict.mendable(
                DifferenceKind.NO_OWNER, source.shard(), source.text() + ", " + evidence.placementText(), steps);
    }

    /** Reserved for a creation: finished when the directory names the shard, else given up. */
    private Verdict arrivingOnly(Row row, List<Mend> first) {
        Placement placement = evidence.placement();
        String what = row.text() + ", " + evidence.placementText();
        List<Mend> steps = new ArrayList<>(first);
        if (placement == null) {
            steps.add(new Mend.Raise(row.generation()));
            steps.add(new Mend.Release(row, false));
            return Verdict.mendable(DifferenceKind.INCOMING_LEFTOVER, row.shard(), what, steps);
        }
        if (placement.shard().equals(row.shard()) && placement.generation() == row.generation() && row.verified()) {
            steps.add(new Mend.Place(row.shard(), row.generation()));
            steps.add(new Mend.Activate(row));
            return Verdict.mendable(DifferenceKind.NO_OWNER, row.shard(), what, steps);
        }
        return Verdict.left(DifferenceKind.OWNER_MISSING, placement.shard(), what, LOST);
    }

    /** It was deleted, or went away from the last shard that knows it to one that has no record of it. */
    private Optional<Verdict> gone(Row source) {
        String to = source.ownership().movedTo();
        if (evidence.placement() == null && to == null) {
            Verdict forgotten = Verdict.mendable(
                    DifferenceKind.GENERATION_FORGOTTEN,
                    source.shard(),
                    source.text(),
                    List.of(new Mend.Raise(source.generation())));
            return Optional.of(forgotten).filter(verdict -> evidence.known() < source.generation());
        }
        ShardId lost = to == null ? source.shard() : ShardId.of(to);
        return Optional.of(Verdict.left(
                DifferenceKind.OWNER_MISSING,
                lost,
                source.text() + ", gone to shard " + lost + ", which has no record of it; " + evidence.placementText(),
                LOST));
    }

    private Verdict missing() {
        Placement placement = evidence.placement();
        return Verdict.left(
                DifferenceKind.OWNER_MISSING,
                placement == null ? null : placement.shard(),
                "no shard has a record of it, " + evidence.placementText(),
                LOST);
    }
}
