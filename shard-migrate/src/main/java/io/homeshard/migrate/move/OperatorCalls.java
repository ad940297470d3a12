package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * What only a person may order, because no machine can know that a shard is down for good. Both calls take the move over
 * from whoever has it: what that one has under way is fenced off on every shard that answers.
 */
record OperatorCalls(ThisMover mover) {
    private static final String SESSION = "homeshard-operator";

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
        run(id, session -> new WithoutSource(session, reason).run());
        return mover.keepReport(id);
    }

    MoveReport returnToSource(UUID id, String reason, boolean acceptLoss) {
        requireReason(reason);
        MoveRecord before = mover.find(id);
        if (before.phase() == MovePhase.ABORTED && wasReturned(id)) {
            return new Reports(mover.parts()).of(id);
        }
        if (before.phase() != MovePhase.FLIPPED && before.phase() != MovePhase.RETURNING) {
            throw refusal(
                    before,
                    before.phase().beforeFlip()
                            ? "it has not flipped: cancel() and recover() bring it back"
                            : "only a move between flip and activation can be sent back; moving back is an ordinary move");
        }
        run(id, session -> new SecondFlip(session, reason, acceptLoss).run());
        return mover.keepReport(id);
    }

    private boolean wasReturned(UUID move) {
        return mover.parts().journal().steps(move).stream().anyMatch(step -> step.phase() == MovePhase.RETURNING);
    }

    private interface Work {
        void on(MoveSession session) throws SQLException;
    }

    private void run(UUID id, Work work) {
        long since = mover.parts().clocks().nanoTime();
        MoveRecord taken = mover.seize(id);
        try (Lease lease = Lease.hold(mover.parts(), MoveSession.ticket(taken), since);
                MoveSession session = new MoveSession(mover.parts(), taken, lease, mover.watcher(MoveListener.NONE))) {
            work.on(session);
        } catch (SQLException | MoveStopped e) {
            MoveException failure = new MoveException(
                    id,
                    "move " + id
                            + " - the order was not carried out, repeat it or let recover() go on when its lease is"
                            + " over: " + e.getMessage(),
                    e);
            mover.keepReport(id, failure);
            throw failure;
        }
    }

    /** With a source that answers there is an ordinary way, which leaves nothing behind. */
    private void requireSourceSilent(MoveRecord move) {
        Shard source = mover.parts()
                .directory()
                .shard(move.source())
                .orElseThrow(() -> refusal(move, "shard " + move.source() + " is not in the directory"));
        try (Connection connection = mover.parts().pools().open(source, SESSION)) {
            if (connection.isValid(1)) {
                throw refusal(move, "shard " + source.id() + " answers: recover() activates the target with it");
            }
        } catch (SQLException expected) {
            return;
        }
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
