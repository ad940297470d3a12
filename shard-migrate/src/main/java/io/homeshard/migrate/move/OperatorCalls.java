package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * What only a person may order, because no machine can know that a shard is down for good. The calls take the move over
 * from whoever has it: what that one has under way is fenced off on every shard that answers.
 */
record OperatorCalls(ThisMover mover) {
    private static final String SESSION = "homeshard-operator";

    /** PostgreSQL: cannot connect now; a server that starts, recovers or shuts down says so. */
    private static final String STARTING = "57P03";

    MoveReport activateWithoutSource(UUID id, String reason) {
        requireReason(reason);
        MoveRecord before = mover.find(id);
        if (before.phase() == MovePhase.RETAINED
                || before.phase() == MovePhase.CLEANING
                || before.phase() == MovePhase.DONE) {
            return new Reports(mover.parts()).of(id);
        }
        if (before.phase() != MovePhase.FLIPPED && before.phase() != MovePhase.ACTIVATED) {
            throw refusal(before, "only a move that has flipped can be activated without its source");
        }
        if (before.phase() == MovePhase.FLIPPED) {
            requireSourceSilent(before);
        }
        return run(
                id,
                EnumSet.of(MovePhase.FLIPPED, MovePhase.ACTIVATED),
                session -> new WithoutSource(session, reason).run());
    }

    MoveReport returnToSource(UUID id, String reason, boolean acceptLoss) {
        requireReason(reason);
        MoveRecord before = mover.find(id);
        if (before.phase() == MovePhase.ABORTED && wasReturned(id)) {
            return new Reports(mover.parts()).of(id);
        }
        if (before.phase() == MovePhase.ABORTING) {
            return run(id, EnumSet.of(MovePhase.ABORTING), session -> new Undo(session).withoutTarget());
        }
        if (before.phase() != MovePhase.FLIPPED && before.phase() != MovePhase.RETURNING) {
            throw refusal(
                    before,
                    before.phase().beforeFlip()
                            ? "it has not flipped: cancel() and recover() bring it back; when its target is gone for good,"
                                    + " give this order again afterwards"
                            : "only a move between flip and activation can be sent back; moving back is an ordinary move");
        }
        return run(
                id,
                EnumSet.of(MovePhase.FLIPPED, MovePhase.RETURNING),
                session -> new SecondFlip(session, reason, acceptLoss).run());
    }

    private boolean wasReturned(UUID move) {
        return mover.parts().journal().steps(move).stream().anyMatch(step -> step.phase() == MovePhase.RETURNING);
    }

    private MoveReport run(UUID id, Set<MovePhase> phases, ThisMover.Work work) {
        long since = mover.parts().clocks().nanoTime();
        MoveRecord taken = mover.seize(id);
        String failed = "the order was not carried out, repeat it or let recover() go on";
        return mover.run(taken, since, failed, session -> {
            if (!phases.contains(taken.phase())) {
                throw refusal(taken, "its mover was faster; let recover() go on");
            }
            work.on(session);
        });
    }

    /** With a source that answers there is an ordinary way, which leaves nothing behind. */
    private void requireSourceSilent(MoveRecord move) {
        Shard source = mover.parts()
                .directory()
                .shard(move.source())
                .orElseThrow(() -> refusal(move, "shard " + move.source() + " is not in the directory"));
        try (Connection answering = mover.parts().pools().open(source, SESSION)) {
            throw refusal(
                    move,
                    "shard " + source.id() + " answers: recover() activates the target with it (autocommit="
                            + answering.getAutoCommit() + ")");
        } catch (SQLException e) {
            if (!cannotBeReached(e)) {
                throw refusal(
                        move,
                        "shard " + source.id() + " answers, though not as it should (sqlstate=" + e.getSQLState()
                                + "): mend that, then recover() activates the target with it");
            }
        }
    }

    private static boolean cannotBeReached(SQLException e) {
        return e instanceof SQLTransientConnectionException
                || (SqlStates.connectionLost(e) && !STARTING.equals(e.getSQLState()));
    }

    private static void requireReason(String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason must say why, was blank");
        }
    }

    private static MoveException refusal(MoveRecord move, String why) {
        return new MoveException(
                move.id(),
                "move " + move.id() + " - nothing was done, " + why + " (phase=" + move.phase() + ", source="
                        + move.source() + ", target=" + move.target() + ")",
                null);
    }
}
