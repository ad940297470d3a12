package io.homeshard.tenants;

import static io.homeshard.guard.OwnershipState.FROZEN;
import static io.homeshard.guard.OwnershipState.INCOMING;
import static io.homeshard.guard.OwnershipState.MOVED;
import static io.homeshard.guard.OwnershipState.OWNED;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.tenants.TenantEvidence.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides what the evidence of one tenant shows where some shard owns it; {@link OwnerlessJudgement} does where none
 * does. No I/O. Rows of a move that is in the journal and not over are left to {@code recover()}.
 */
record Judgement(TenantEvidence evidence) {
    static final String RECOVER = "TenantMover.recover() settles the move";
    private static final String PERSON =
            "find out which shard holds the acknowledged rows, and set the others' records by hand; see docs/move-protocol.md";

    List<Verdict> verdicts() {
        Optional<MoveRecord> unfinished = evidence.unfinished();
        if (evidence.creating()
                || unfinished.filter(move -> !move.leaseExpired()).isPresent()) {
            return List.of();
        }
        List<Row> owners = evidence.in(OWNED);
        return owners.isEmpty() ? new OwnerlessJudgement(evidence).verdicts() : owned(owners, unfinished);
    }

    private List<Verdict> owned(List<Row> owners, Optional<MoveRecord> unfinished) {
        Row owner = owners.get(0);
        if (owners.size() > 1 && owners.get(1).generation() == owner.generation()) {
            String what = owner.text() + ", and so does shard " + owners.get(1).shard();
            return List.of(Verdict.left(DifferenceKind.TWO_OWNERS, owner.shard(), what, PERSON));
        }
        Optional<Verdict> behind = ownerBehind(owner);
        if (behind.isPresent()) {
            return List.of(behind.get());
        }
        List<Verdict> verdicts = new ArrayList<>();
        if (unfinished.isPresent() && !over(unfinished.get(), owner)) {
            MoveRecord move = unfinished.get();
            verdicts.add(Verdict.left(
                    DifferenceKind.MOVE_UNFINISHED,
                    move.source(),
                    "a move has stopped in phase " + move.phase() + " (move=" + move.id() + ")",
                    RECOVER));
        } else {
            placement(owner, unfinished).ifPresent(verdicts::add);
        }
        leftovers(owner, verdicts);
        return verdicts;
    }

    private Optional<Verdict> ownerBehind(Row owner) {
        Placement placement = evidence.placement();
        String found = null;
        if (placement != null && placement.generation() > owner.generation()) {
            found = evidence.placementText();
        }
        for (Row row : evidence.in(FROZEN, MOVED)) {
            if (row.generation() >= owner.generation()) {
                found = row.text();
            }
        }
        return Optional.ofNullable(found)
                .map(what -> Verdict.left(
                        DifferenceKind.OWNER_BEHIND, owner.shard(), owner.text() + ", but " + what, PERSON));
    }

    /** Whether an unfinished move is one that the directory has forgotten to end. */
    static boolean over(MoveRecord move, Row owner) {
        long next = move.generation() + 1;
        return switch (move.phase()) {
            case RETURNING -> owner.generation() > next + 1;
            case FLIPPED, ACTIVATED -> owner.generation() > next || !owner.by(move.id());
            default -> owner.generation() >= next;
        };
    }

    private Optional<Verdict> placement(Row owner, Optional<MoveRecord> unfinished) {
        Placement placement = evidence.placement();
        List<Mend> steps = new ArrayList<>();
        unfinished.ifPresent(move -> steps.add(new Mend.Close(move, end(move, owner))));
        steps.add(new Mend.Place(owner.shard(), owner.generation()));
        String what = owner.text() + ", " + evidence.placementText();
        if (placement == null) {
            return Optional.of(Verdict.mendable(DifferenceKind.UNKNOWN_TENANT, owner.shard(), what, steps)
                    .unless(evidence.silent()));
        }
        if (placement.generation() < owner.generation() || !placement.shard().equals(owner.shard())) {
            return Optional.of(Verdict.mendable(DifferenceKind.DIRECTORY_BEHIND, owner.shard(), what, steps)
                    .unless(evidence.silent()));
        }
        if (placement.state() != PlacementState.ACTIVE || unfinished.isPresent()) {
            return Optional.of(Verdict.mendable(DifferenceKind.PLACEMENT_NOT_ACTIVE, owner.shard(), what, steps));
        }
        return Optional.empty();
    }

    /** The move ended well when its target owns the tenant by it. */
    private static MovePhase end(MoveRecord move, Row owner) {
        boolean arrived = owner.by(move.id())
                && owner.shard().equals(move.target())
                && owner.generation() == move.generation() + 1;
        return arrived ? MovePhase.RETAINED : MovePhase.ABORTED;
    }

    private void leftovers(Row owner, List<Verdict> verdicts) {
        for (Row row : evidence.in(OWNED, FROZEN, INCOMING)) {
            if (row.shard().equals(owner.shard()) || recoverable(row, owner)) {
                continue;
            }
            String what = row.text() + ", and shard " + owner.shard() + " owns it at generation " + owner.generation();
            switch (row.state()) {
                case OWNED ->
                    verdicts.add(Verdict.mendable(
                                    DifferenceKind.OUTDATED_OWNER,
                                    row.shard(),
                                    what
                                            + "; it may hold writes that were acknowledged there, TenantMover.gather() compares",
                                    List.of(new Mend.Disown(row, owner.shard())))
                            .unless(evidence.silent()));
                case FROZEN ->
                    verdicts.add(Verdict.mendable(
                            DifferenceKind.FROZEN_LEFTOVER,
                            row.shard(),
                            what,
                            List.of(new Mend.MarkMoved(row, owner.shard()))));
                default -> verdicts.add(incoming(row, what));
            }
        }
    }

    private boolean recoverable(Row row, Row owner) {
        return evidence.move(row.ownership().move())
                .filter(move -> !move.phase().finished() && !over(move, owner))
                .isPresent();
    }

    private Verdict incoming(Row row, String what) {
        return Verdict.mendable(
                DifferenceKind.INCOMING_LEFTOVER,
                row.shard(),
                what,
                List.of(new Mend.Release(row, copied(row.shard(), row))));
    }

    /** The journal proves that what lies there was copied by a move that is over. */
    private boolean copied(ShardId shard, Row row) {
        return evidence.move(row.ownership().move())
                .filter(move -> move.target().equals(shard))
                .isPresent();
    }
}
