package io.homeshard.migrate;

import io.homeshard.Homeshard;
import io.homeshard.HomeshardParts;
import io.homeshard.directory.DirectoryMending;
import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.drain.Drain;
import io.homeshard.migrate.drain.DrainConfig;
import io.homeshard.migrate.drain.DrainListener;
import io.homeshard.migrate.drain.DrainParts;
import io.homeshard.migrate.drain.DrainPlan;
import io.homeshard.migrate.drain.DrainReport;
import io.homeshard.migrate.gather.Gather;
import io.homeshard.migrate.gather.GatherParts;
import io.homeshard.migrate.gather.GatherReport;
import io.homeshard.migrate.gather.Handling;
import io.homeshard.migrate.move.Certificate;
import io.homeshard.migrate.move.MoveConfig;
import io.homeshard.migrate.move.MoveEngine;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MoveParts;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.migrate.move.Recheck;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves live tenants between shards. The tenant is read-only from the freeze to the activation; no acknowledged write is
 * lost, whoever crashes when. Everything that a mover does is journaled in the directory, so that any other process can
 * go on with it.
 *
 * <p>Thread-safe; moves of different tenants may run at once. All methods throw
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached at all.
 */
public interface TenantMover {
    /**
     * A mover with the default times.
     *
     * @param homeshard the tenants and shards
     * @return a new mover, with a name of its own in the journal
     */
    static TenantMover of(Homeshard homeshard) {
        return of(homeshard, MoveConfig.defaults());
    }

    /**
     * A mover.
     *
     * @param homeshard the tenants and shards
     * @param config times and limits
     * @return a new mover, with a name of its own in the journal
     * @throws IllegalArgumentException when old rows would be kept for less time than a router may still look at them:
     *     {@code retention} must be at least {@code cache.maxReadStaleness}, {@code maxScopeAge} and the lease together
     */
    static TenantMover of(Homeshard homeshard, MoveConfig config) {
        HomeshardParts parts = homeshard.parts();
        Duration least = parts.config().longestRoute().plus(config.lease().duration());
        if (config.retention().compareTo(least) < 0) {
            throw new IllegalArgumentException("retention must be >= " + least
                    + " (maxReadStaleness + maxScopeAge + lease), was " + config.retention()
                    + "; cleanNow(move) cleans after a single move earlier");
        }
        MoveEngine engine = MoveEngine.of(new MoveParts(
                parts.directory(),
                parts.journal(),
                parts.guard(),
                parts.pools(),
                parts.tables(),
                parts.clocks(),
                config));
        return new JournaledTenantMover(
                engine,
                Drain.of(new DrainParts(
                        engine, parts.directory(), parts.admin(), parts.journal(), parts.policy(), parts.clocks())),
                Gather.of(new GatherParts(
                        parts.directory(),
                        parts.journal(),
                        DirectoryMending.jdbc(parts.directoryDatabase()),
                        parts.guard(),
                        parts.pools(),
                        parts.tables(),
                        parts.clocks(),
                        config.steps().statement())));
    }

    /**
     * Plans a move and looks for everything that could stop it; changes nothing.
     *
     * @param tenant the tenant
     * @param target where it shall go
     * @return the plan, which {@link #execute(MovePlan)} runs as it is
     * @throws io.homeshard.model.UnknownTenantException when the directory does not know the tenant
     * @throws io.homeshard.migrate.move.MoveException when it lives there already, or the shard is unknown
     * @throws io.homeshard.model.ShardUnavailableException when one of both shards cannot be reached
     */
    MovePlan plan(TenantId tenant, ShardId target);

    /**
     * Runs a plan to the end.
     *
     * @param plan a plan without errors, its warnings accepted by name
     * @return the report of the finished move
     * @throws io.homeshard.migrate.move.MoveException when the move was not begun, was undone, or is not settled yet;
     *     the message says which
     */
    default MoveReport execute(MovePlan plan) {
        return execute(plan, MoveListener.NONE);
    }

    /**
     * Runs a plan to the end.
     *
     * @param plan a plan without errors, its warnings accepted by name
     * @param listener hears how it goes, in the calling thread
     * @return the report of the finished move
     * @throws io.homeshard.migrate.move.MoveException as above
     */
    MoveReport execute(MovePlan plan, MoveListener listener);

    /**
     * Takes an unfinished move over whose lease has run out, and goes forward with it: before the flip in a new attempt
     * that copies everything again, after it to the end. A cancelled move is undone instead. Repeating it is harmless.
     *
     * @param move the move
     * @return its report; of a finished move the report as it stands
     * @throws io.homeshard.migrate.move.MoveException when another process holds its lease, or it was undone, or is not
     *     settled yet
     */
    MoveReport resume(UUID move);

    /**
     * Decides that a move shall not happen. The process that runs it undoes it at its next step; when that process is
     * gone, {@link #recover()} does.
     *
     * @param move the move
     * @param reason for people
     * @throws io.homeshard.migrate.move.MoveException when it has flipped already, or is unknown
     */
    void cancel(UUID move, String reason);

    /**
     * Settles every move whose process is gone: forward when it has flipped, else back. To be called regularly, from any
     * number of processes.
     *
     * @return a report of each move that was taken over; those that could not be settled now are
     *     {@link MoveReport.Outcome#UNSETTLED}
     */
    List<MoveReport> recover();

    /**
     * Compares what shards that do not own a tenant hold of it with what its home has; changes nothing.
     *
     * @param tenant an active tenant without unfinished move
     * @return what was found, by shard and table
     * @throws io.homeshard.migrate.gather.GatherException when its home does not own it, it is being moved, or a shard
     *     failed on the way
     */
    default GatherReport gather(TenantId tenant) {
        return gather(tenant, Handling.LIST);
    }

    /**
     * The same, and brings rows home or puts them aside into {@code homeshard.put_aside} of the shard where they lay. What
     * was found and what became of it is kept in the directory. May be repeated.
     *
     * @param tenant an active tenant without unfinished move
     * @param handling what to do
     * @return what was found and what became of it
     * @throws io.homeshard.migrate.gather.GatherException as above
     */
    GatherReport gather(TenantId tenant, Handling handling);

    /**
     * For a person only: the source is down for good right after the flip, and the target is to own the tenant although the
     * source was not asked. The target must have been verified. Takes the move over from whoever has it. When the source
     * comes back it refuses the tenant's writes, being frozen; {@code homeshard.reconciliation().reconcile()} settles its
     * record, and then its old rows can be cleaned. May be repeated.
     *
     * @param move a move in phase FLIPPED
     * @param reason who ordered it and why; kept in the journal
     * @return its report
     * @throws io.homeshard.migrate.move.MoveException when the source answers, the move is in another phase, or the target
     *     refuses or does not answer; the message says which
     */
    MoveReport activateWithoutSource(UUID move, String reason);

    /**
     * For a person only: the target died between flip and activation, and the tenant is to be served by the source again,
     * two generations after the one that it had there. Takes the move over from whoever has it. Refused where the target
     * may own the tenant already: the source says that it went away, or {@link #activateWithoutSource} was ordered, and the
     * target does not answer. What the target holds is removed at once or, when it does not answer, by
     * {@code homeshard.reconciliation().reconcile()}. May be repeated.
     *
     * <p>Also ends a move that is being undone (phase ABORTING) when its target is gone for good: {@link #recover} has given
     * the tenant back to the source, and waits for nothing but that target.
     *
     * @param move a move in phase FLIPPED, RETURNING or ABORTING
     * @param reason who ordered it and why; kept in the journal
     * @return its report, ABORTED
     * @throws io.homeshard.migrate.move.MoveException when it is in another phase, the target owns the tenant or may own
     *     it, or the source does not answer; the message says which
     */
    MoveReport returnToSource(UUID move, String reason);

    /**
     * Like {@link #returnToSource}, also when the target may own the tenant: it is destroyed for good, and what it may have
     * acknowledged between its activation and its end is given up. Should it come back after all, there are two owners
     * until {@code homeshard.reconciliation().reconcile()} has stopped it; set the shard's status to offline first. A
     * target that answers and owns the tenant is never given up.
     *
     * @param move a move in phase FLIPPED
     * @param reason who ordered it and why; kept in the journal
     * @return its report, ABORTED
     * @throws io.homeshard.migrate.move.MoveException as {@link #returnToSource}
     */
    MoveReport returnToSourceAcceptingLoss(UUID move, String reason);

    /**
     * Deletes the old rows of a finished move whose retention is over, by the directory's clock. A
     * refusal for that reason leaves no trace in the journal.
     *
     * @param move the move
     * @return the report; of a cleaned move the report as it stands
     * @throws io.homeshard.migrate.move.MoveException when they must stay; says why
     */
    MoveReport clean(UUID move);

    /**
     * Like {@link #clean}, without waiting for the retention: routers that have not looked at the directory for so long
     * would read nothing. All other conditions hold.
     *
     * @param move the move
     * @return the report
     * @throws io.homeshard.migrate.move.MoveException when the old rows must stay; says why
     */
    MoveReport cleanNow(UUID move);

    /**
     * Moves that have begun and not ended, whoever runs them: under way, or left by a mover that is gone until
     * {@link #recover} settles them.
     *
     * @return the records, oldest first; {@link MoveRecord#id} is what {@link #cancel} and {@link #progress} want
     */
    List<MoveRecord> unfinished();

    /**
     * Finished moves whose old rows still wait on the source, or are being deleted. Those that a later move of the tenant
     * has taken over are not among them.
     *
     * @return the records, oldest first
     */
    List<MoveRecord> retained();

    /**
     * Cleans after every move whose retention is over, and goes on with the cleaning of processes that are gone. To be
     * called regularly, from any number of processes. A move that cannot be cleaned keeps no other waiting.
     *
     * @return a report of each move that was due: {@link MoveReport.Outcome#CLEANED}, or
     *     {@link MoveReport.Outcome#MOVED} with the reason why its old rows are still there
     */
    List<MoveReport> cleanDue();

    /**
     * The certificate of a move: what was compared, hash-chained to the one before of the same tenant. The directory
     * keeps it; {@link Certificate#toJson} is for keeping it elsewhere too.
     *
     * @param move a move that has finished, cleaned or not
     * @return the certificate
     * @throws io.homeshard.migrate.move.MoveException when the move did not finish, is unknown, or its certificate was
     *     altered
     */
    Certificate certificate(UUID move);

    /**
     * Looks whether a certificate still stands: whether it is the one that the directory keeps, with its chain back to
     * the tenant's first, and whether the old rows on the source, read afresh, are those that it certifies. Reads every
     * old row; changes nothing.
     *
     * @param certificate of a move whose old rows still wait on the source
     * @return what was found; a tampered certificate is a problem in it
     * @throws io.homeshard.migrate.move.MoveException when the old rows are gone, or the source cannot be reached
     */
    Recheck recheck(Certificate certificate);

    /**
     * Plans the moves of all tenants of a shard to the shards that would take new ones, and looks for everything that
     * could stop them; changes nothing.
     *
     * @param shard the shard to be emptied
     * @return the plan, which {@link #drain(DrainPlan, DrainListener)} runs as it is
     * @throws io.homeshard.migrate.move.MoveException when the directory does not know the shard
     */
    default DrainPlan planDrain(ShardId shard) {
        return planDrain(shard, DrainConfig.defaults());
    }

    /**
     * Plans the moves of all tenants of a shard; changes nothing.
     *
     * @param shard the shard to be emptied
     * @param config how many moves at a time, where to, and whether failures stop it
     * @return the plan
     * @throws io.homeshard.migrate.move.MoveException when the directory does not know the shard
     */
    DrainPlan planDrain(ShardId shard, DrainConfig config);

    /**
     * Empties a shard: plans and runs. Needs a plan without warnings; where there are some, look at
     * {@link #planDrain(ShardId)} first.
     *
     * @param shard the shard
     * @return what was moved, what failed and what is left
     * @throws io.homeshard.migrate.move.MoveException when a move may not run; nothing was changed
     */
    default DrainReport drain(ShardId shard) {
        return drain(planDrain(shard), DrainListener.NONE);
    }

    /**
     * Runs the plan of a drain: sets the shard to draining, so that no new tenant is placed there, and moves its
     * tenants. Running it again goes on where it has stopped. When it is complete and the old rows are cleaned,
     * {@code shards().remove(shard)} takes the shard out of use.
     *
     * @param plan a plan without obstacles
     * @param listener hears how it goes
     * @return what was moved, what failed and what is left
     * @throws io.homeshard.migrate.move.MoveException when the plan has obstacles; nothing was changed
     */
    DrainReport drain(DrainPlan plan, DrainListener listener);

    /**
     * How far the copy of a move is, whichever process runs it, as that process said last: about every
     * {@code renewEvery} of its lease.
     *
     * @param move the move
     * @return the progress, or empty when it has not begun to copy
     */
    Optional<MoveProgress> progress(UUID move);
}
