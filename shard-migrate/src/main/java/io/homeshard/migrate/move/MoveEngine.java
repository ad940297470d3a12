package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** All that can be done with moves; behind the front door {@code TenantMover}. Thread-safe. */
public final class MoveEngine {
    private final ThisMover mover;

    MoveEngine(MoveParts parts, StepHook hook) {
        this.mover = ThisMover.create(parts, hook);
    }

    /**
     * An engine.
     *
     * @param parts what it is made of
     * @return a new one, with a name of its own as owner of leases
     */
    public static MoveEngine of(MoveParts parts) {
        return new MoveEngine(parts, StepHook.NONE);
    }

    /**
     * Plans a move; changes nothing.
     *
     * @param tenant the tenant
     * @param target where it shall go
     * @return the plan, with everything that the preflight found
     * @throws io.homeshard.model.UnknownTenantException when the directory does not know it
     * @throws MoveException when there is nothing to plan
     */
    public MovePlan plan(TenantId tenant, ShardId target) {
        return new Planner(mover.parts()).plan(tenant, target);
    }

    /**
     * Runs a plan to the end.
     *
     * @param plan the plan
     * @param listener hears how it goes
     * @return the report of the finished move
     * @throws MoveException when it did not happen, was undone, or is not settled
     */
    public MoveReport execute(MovePlan plan, MoveListener listener) {
        return new Execution(mover).execute(plan, listener);
    }

    /**
     * Takes an unfinished move over and brings it to an end: forward where that is possible.
     *
     * @param move the move
     * @param listener hears how it goes
     * @return its report; of a finished move the report as it stands
     * @throws MoveException when its lease is held by another process, or it cannot be settled now
     */
    public MoveReport resume(UUID move, MoveListener listener) {
        return new Execution(mover).resume(move, listener);
    }

    /**
     * Decides that a move shall not happen. Whoever holds its lease undoes it at its next step, or {@link #recover}.
     *
     * @param move the move
     * @param reason for people
     * @throws MoveException when it has flipped already
     */
    public void cancel(UUID move, String reason) {
        new Execution(mover).cancel(move, reason);
    }

    /**
     * Settles every move whose process is gone. Safe to call at any time from several processes at once.
     *
     * @return a report of each move that was taken over
     */
    public List<MoveReport> recover() {
        return new Recovery(mover).run();
    }

    /**
     * Activates the target of a flipped move whose source is down for good.
     *
     * @param move the move
     * @param reason who ordered it and why
     * @return the report
     * @throws MoveException when the source answers, the move has not flipped, or the target refuses
     */
    public MoveReport activateWithoutSource(UUID move, String reason) {
        return new OperatorCalls(mover).activateWithoutSource(move, reason);
    }

    /**
     * Sends the tenant of a flipped move back to its source.
     *
     * @param move the move
     * @param reason who ordered it and why
     * @param acceptLoss also when the target may own the tenant, and its writes are to be given up
     * @return the report
     * @throws MoveException when it is not between flip and activation, or the target may own the tenant
     */
    public MoveReport returnToSource(UUID move, String reason, boolean acceptLoss) {
        return new OperatorCalls(mover).returnToSource(move, reason, acceptLoss);
    }

    /**
     * Deletes the old rows of a finished move.
     *
     * @param move the move
     * @param now true when the retention need not be over
     * @return the report
     * @throws MoveException when they must stay; says why
     */
    public MoveReport clean(UUID move, boolean now) {
        return new CleaningCalls(mover).clean(move, now);
    }

    /**
     * Moves that are under way, or whose mover is gone.
     *
     * @return the records, oldest first
     */
    public List<MoveRecord> unfinished() {
        return mover.parts().journal().unfinished();
    }

    /**
     * Finished moves whose old rows still wait, or are going.
     *
     * @return the records, oldest first
     */
    public List<MoveRecord> retained() {
        return mover.parts().journal().retained();
    }

    /**
     * Cleans after every move whose retention is over, and goes on where a cleaning process was lost.
     *
     * @return a report of each move that was due
     */
    public List<MoveReport> cleanDue() {
        return new CleaningCalls(mover).cleanDue();
    }

    /**
     * How far the copy of a move is, as its mover told the directory last.
     *
     * @param move the move
     * @return the progress, or empty when it has not begun to copy
     */
    public Optional<MoveProgress> progress(UUID move) {
        return mover.parts().journal().progress(move);
    }

    /**
     * The certificate of a move that has come to RETAINED.
     *
     * @param move the move
     * @return what the directory keeps; made now where it was missing
     * @throws MoveException when the move has none, or it was altered
     */
    public Certificate certificate(UUID move) {
        MoveRecord record = mover.find(move);
        if (!record.phase().finished() || record.phase() == MovePhase.ABORTED) {
            throw new MoveException(
                    move, "move " + move + " - has no certificate (phase=" + record.phase() + ")", null);
        }
        try {
            return new Certificates(mover.parts(), mover.steps()).of(record);
        } catch (MoveStopped e) {
            throw new MoveException(move, "move " + move + " - has no certificate: " + e.getMessage(), e);
        }
    }

    /**
     * Compares a certificate with the directory's own and with the old rows; changes nothing.
     *
     * @param certificate the certificate
     * @return what was found
     * @throws MoveException when there is nothing to compare it with
     */
    public Recheck recheck(Certificate certificate) {
        return new Rechecking(mover, certificate).run();
    }
}
