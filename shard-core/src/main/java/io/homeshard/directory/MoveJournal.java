package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The journal of moves in the directory. Each method is one SQL function, called in autocommit in one round trip,
 * idempotent, committed with {@code synchronous_commit = on}. Thread-safe. Throws
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached: then the step may or
 * may not have happened, and repeating it tells the truth.
 */
public interface MoveJournal {
    /**
     * The journal in the directory's database.
     *
     * @param dataSource hands out connections to it, in autocommit; Homeshard closes what it borrows, never the source
     * @return the journal
     */
    static MoveJournal jdbc(DataSource dataSource) {
        return new JdbcMoveJournal(dataSource);
    }

    /**
     * Journals the intent to move and gives the first epoch. Marks the tenant's retained moves away
     * from the target as superseded: their old rows are on the new target, and this move empties it.
     *
     * @param move a new id
     * @param tenant an active tenant without unfinished move
     * @param target a shard in service other than its own
     * @param owner name of this process
     * @param lease how long the lease lasts unless renewed
     * @return done, already done (same id), or why not
     */
    default StepResult plan(UUID move, TenantId tenant, ShardId target, String owner, Duration lease) {
        return plan(new MoveIntent(move, tenant, target, MoveTerms.NONE), owner, lease);
    }

    /**
     * The same with terms, which hold for every attempt. Refused outside the window.
     *
     * @param intent what is to move, where and when
     * @param owner name of this process
     * @param lease how long the lease lasts unless renewed
     * @return done, already done (same id), or why not
     */
    StepResult plan(MoveIntent intent, String owner, Duration lease);

    /**
     * What the terms of a move leave to it now.
     *
     * @param move the move
     * @return the limits, or empty when the move is unknown
     */
    Optional<FreezeLimits> limits(UUID move);

    /**
     * Says how far the copy is; replaces what was said before. Nothing depends on it.
     *
     * @param ticket who runs the move
     * @param progress of the ticket's move and attempt; its time is not looked at
     * @return done or why not
     */
    StepResult progress(MoveTicket ticket, MoveProgress progress);

    /**
     * How far the copy of a move is, as its mover said last.
     *
     * @param move the move
     * @return the progress, or empty when it has not begun to copy
     */
    Optional<MoveProgress> progress(UUID move);

    /**
     * Journals the next phase by compare-and-set on phase, epoch and attempt, and renews the lease. Entering FREEZING
     * also freezes the placement, and is refused outside the window; entering ABORTED makes it active again.
     *
     * @param ticket who runs the move
     * @param from expected phase
     * @param to next phase
     * @param detail JSON object kept with the step
     * @param lease the lease from now on
     * @return done, already done, or why not
     */
    StepResult advance(MoveTicket ticket, MovePhase from, MovePhase to, String detail, Duration lease);

    /**
     * Renews the lease.
     *
     * @param ticket who runs the move
     * @param lease the lease from now on
     * @return done or why not
     */
    StepResult renew(MoveTicket ticket, Duration lease);

    /**
     * The commit point: VERIFIED to FLIPPED, the placement to the target with the next generation, the map version
     * last. Refused when the lease has run out, or the window is over.
     *
     * @param ticket who runs the move
     * @return done, already done, or why not
     */
    StepResult flip(MoveTicket ticket);

    /**
     * Flips again what a directory has forgotten: allowed to a recoverer that found the source {@code moved} by this
     * move, from any unfinished phase.
     *
     * @param ticket who runs the move
     * @param detail a JSON object for the journal, without any value of a tenant's columns
     * @return done, already done, or why not
     */
    StepResult redoFlip(MoveTicket ticket, String detail);

    /**
     * Decides that the move will not happen: any phase before FLIPPED to ABORTING, under the ticket's epoch.
     *
     * @param ticket who runs the move
     * @param reason for people
     * @return done, already done, or why not (flipped)
     */
    StepResult abort(MoveTicket ticket, String reason);

    /**
     * Sets ABORTING whoever runs the move; does nothing else.
     *
     * @param move the move
     * @param reason for people
     * @return done, already done, or why not (flipped, finished)
     */
    StepResult cancel(UUID move, String reason);

    /**
     * Takes a move over: a higher epoch, and a new attempt when it has not flipped.
     *
     * @param move the move
     * @param owner name of this process
     * @param lease the lease from now on
     * @param force also while the old lease lasts
     * @return the move with its new epoch, or empty when the lease is still held or the move needs nobody
     */
    Optional<MoveRecord> takeOver(UUID move, String owner, Duration lease, boolean force);

    /**
     * Journals that the target is activated without asking the source.
     *
     * @param ticket who runs the move
     * @param reason for people
     * @return done, already done or why not
     */
    StepResult waiveSource(MoveTicket ticket, String reason);

    /**
     * The second flip: the placement back to the source with the next generation but one, the phase RETURNING.
     *
     * @param ticket who runs the move
     * @param reason for people
     * @param regardless also when the target was to be activated without the source: it was asked, or its loss is accepted
     * @return done, already done or why not
     */
    StepResult returnMove(MoveTicket ticket, String reason, boolean regardless);

    /**
     * Keeps evidence with the move. Members of the object replace those of the same name that were kept before.
     *
     * @param move the move
     * @param report JSON object
     * @throws IllegalArgumentException when it is none, or the move is unknown
     */
    void report(UUID move, String report);

    /**
     * The evidence kept with a move.
     *
     * @param move the move
     * @return a JSON object, or empty when the move is unknown
     */
    Optional<String> evidence(UUID move);

    /**
     * Appends a certificate to its tenant's chain.
     *
     * @param move a move that has come to RETAINED, without a certificate
     * @param previous hash of the last certificate of the tenant, or null when it has none
     * @param body text of the certificate; its SHA-256 is the next link
     * @return done, already done (this move has one, whatever it says), or why not (the chain has grown)
     */
    StepResult certify(UUID move, @Nullable String previous, String body);

    /**
     * The certificates of a tenant.
     *
     * @param tenant the tenant
     * @return the chain, oldest first
     */
    List<KeptCertificate> certificates(TenantId tenant);

    /**
     * The directory's clock, by which leases, phases and retention are measured.
     *
     * @return the present time there
     */
    Instant now();

    /**
     * One move.
     *
     * @param move its id
     * @return the record, or empty
     */
    Optional<MoveRecord> find(UUID move);

    /**
     * Moves that are neither finished nor aborted, oldest first.
     *
     * @return the records
     */
    List<MoveRecord> unfinished();

    /**
     * Finished moves whose old rows still wait on the source, or are going, oldest first. Those that a later move has
     * superseded are not among them.
     *
     * @return the records
     */
    List<MoveRecord> retained();

    /**
     * Moves of a tenant, newest first.
     *
     * @param tenant the tenant
     * @return the records
     */
    List<MoveRecord> ofTenant(TenantId tenant);

    /**
     * The steps of a move, oldest first, for people and reports.
     *
     * @param move its id
     * @return the steps
     */
    List<MoveStep> steps(UUID move);
}
