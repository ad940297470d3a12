package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.StepResult;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process runs one move under one epoch: forward while it can, and when it cannot, whichever way the directory
 * says. Nothing is undone before the directory has said ABORTING, and nothing at all while it is not known whether the
 * flip happened.
 */
record MoveRun(MoveParts parts, MoveRecord move, Lease lease, Watcher watcher) {
    private static final Logger log = LoggerFactory.getLogger(MoveRun.class);

    /** From reservation to retention. Returns when the tenant lives on the target. */
    void forward(String fingerprint) {
        MoveSession session = new MoveSession(parts, move, lease, watcher);
        try (session) {
            TenantCatalog catalog = new Reservation(session, fingerprint).run();
            String relations = new Freeze(session).run();
            new Transfer(session, catalog).run();
            new Flip(session, fingerprint, relations).run();
            new Aftermath(session).run();
        } catch (SQLException | RuntimeException e) {
            afterFailure(session.phase(), e);
        }
    }

    /** Taken over from another process: both shards are told first, then the evidence decides. */
    void settle(String reason) {
        try {
            decide(reason);
        } catch (SQLException | RuntimeException e) {
            throw unsettled(e);
        }
    }

    /** Goes forward again after a take-over, if that is still possible; else settles. */
    void goOn() {
        if (!move.phase().beforeFlip()) {
            settle("was resumed");
            return;
        }
        Optional<String> fingerprint = Optional.empty();
        try (MoveSession session = new MoveSession(parts, move, lease, watcher)) {
            Fencing fencing = new Fencing(session);
            fencing.source();
            fencing.target();
            if (!Aftermath.sourceMoved(session) && !Aftermath.targetOwns(session)) {
                fingerprint = Optional.of(
                        TenantCatalog.read(session.source(), parts.tables()).fingerprint());
            }
        } catch (SQLException e) {
            log.warn(
                    "move {} - cannot go forward, a shard fails",
                    move.id(),
                    e); // the source need not wait for the target
        } catch (RuntimeException e) {
            throw unsettled(e);
        }
        fingerprint.ifPresentOrElse(this::forward, () -> settle("could not be resumed"));
    }

    private void decide(String reason) throws SQLException {
        if (move.phase() == MovePhase.RETURNING) {
            untilReached().run(session -> new Returning(session).run());
        } else if (move.phase() == MovePhase.FLIPPED || move.phase() == MovePhase.ACTIVATED) {
            finish();
        } else if (fenceAndLook()) {
            untilReached().run(session -> new Redo(session).run());
        } else {
            MoveStopped.unlessOk(abort(reason), "abort");
            watcher.phase(move, MovePhase.ABORTING, parts.clocks());
            undo();
        }
    }

    /**
     * Raises the fence on both shards; true when the source says that it was moved away by this move, or the target that
     * it owns by it: after an activation without source that is all the evidence there is. A target that cannot be
     * reached is told later, before anything is undone there: it need not keep the source's tenant frozen.
     */
    private boolean fenceAndLook() throws SQLException {
        boolean[] moved = new boolean[1];
        untilReached().run(session -> {
            new Fencing(session).source();
            moved[0] = Aftermath.sourceMoved(session) || TargetWord.ask(session).owns(session);
        });
        return moved[0];
    }

    private void finish() throws SQLException {
        untilReached().run(session -> {
            if (session.phase() == MovePhase.FLIPPED) { // what follows ACTIVATED happens in the directory only
                Fencing fencing = new Fencing(session);
                fencing.source();
                fencing.target();
            }
            new Aftermath(session).run();
        });
    }

    private void undo() throws SQLException {
        untilReached().run(session -> {
            if (session.phase() == MovePhase.ABORTING) {
                new Undo(session).run();
            }
        });
    }

    /** An interrupted mover still leaves no tenant frozen: it has these steps to do, and then is interrupted again. */
    private void afterFailure(MovePhase reached, Exception e) {
        boolean interrupted = Thread.interrupted();
        try {
            backOrForward(reached, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void backOrForward(MovePhase reached, Exception e) {
        if (e instanceof FlipUnknown) {
            throw unsettled(e);
        }
        String why = lease.brokenOff().orElse(String.valueOf(e.getMessage()));
        try {
            if (!reached.beforeFlip()) {
                log.warn("move {} - failed after the flip, going on", move.id(), e);
                finish();
                return;
            }
            StepResult aborting = abort(why);
            if (!aborting.ok()) {
                throw lostTo(aborting, e);
            }
            watcher.phase(move, MovePhase.ABORTING, parts.clocks());
            undo();
        } catch (MoveException lost) {
            throw lost;
        } catch (SQLException | RuntimeException failure) {
            failure.addSuppressed(e);
            throw unsettled(failure);
        }
        throw new MoveException(
                move.id(),
                "move " + move.id() + " - was aborted and undone, shard " + move.source()
                        + " serves the tenant as before: " + decided(why),
                e);
    }

    /** Why the move ends, as the directory has it: somebody else may have been first to say so. */
    private String decided(String why) {
        try {
            return parts.journal().find(move.id()).map(MoveRecord::reason).orElse(why);
        } catch (RuntimeException e) {
            log.debug("move {} - its reason cannot be read", move.id(), e);
            return why;
        }
    }

    private MoveException lostTo(StepResult answer, Exception e) {
        return new MoveException(
                move.id(),
                "move " + move.id() + " - is not this mover's any more, it did nothing further (" + answer + "): "
                        + e.getMessage(),
                e);
    }

    private MoveException unsettled(Exception e) {
        Optional<MoveRecord> now;
        try {
            now = parts.journal().find(move.id());
        } catch (RuntimeException unavailable) {
            e.addSuppressed(unavailable);
            now = Optional.empty();
        }
        String phase = now.map(record -> record.phase().name()).orElse("unknown, the directory does not answer");
        return new MoveException(
                move.id(),
                "move " + move.id() + " - is not settled: " + e.getMessage() + " (phase=" + phase
                        + "); recover() goes on when everything can be reached and the lease is over",
                e);
    }

    private StepResult abort(String why) {
        return watcher.steps().run(Step.ABORT, () -> parts.journal().abort(ticket(), why));
    }

    private UntilReached untilReached() {
        return new UntilReached(parts, move, lease, watcher);
    }

    private MoveTicket ticket() {
        return MoveSession.ticket(move);
    }
}
