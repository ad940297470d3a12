package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveStep;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that can be done with moves; behind the front door {@code TenantMover}. Thread-safe. */
public final class MoveEngine {
    private static final Logger log = LoggerFactory.getLogger(MoveEngine.class);
    private static final Duration INSTANT = Duration.ofMillis(1);

    private final MoveParts parts;
    private final CrashPoint crashPoint;
    private final String owner = "mover " + ProcessHandle.current().pid() + " " + UUID.randomUUID();

    MoveEngine(MoveParts parts, CrashPoint crashPoint) {
        this.parts = parts;
        this.crashPoint = crashPoint;
    }

    /**
     * An engine.
     *
     * @param parts what it is made of
     * @return a new one, with a name of its own as owner of leases
     */
    public static MoveEngine of(MoveParts parts) {
        return new MoveEngine(parts, CrashPoint.NONE);
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
        return new Planner(parts).plan(tenant, target);
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
        List<Finding> obstacles = plan.obstacles();
        if (!obstacles.isEmpty()) {
            throw new MoveException(null, "move of plan " + plan.move() + " - may not run: " + obstacles, null);
        }
        long since = parts.clocks().nanoTime();
        StepResult planned = parts.journal()
                .plan(
                        plan.move(),
                        plan.tenant(),
                        plan.target(),
                        owner,
                        parts.config().lease().duration());
        if (planned.outcome() == StepResult.Outcome.ALREADY_DONE) {
            throw new MoveException(
                    plan.move(), "plan " + plan.move() + " - was executed already, make a new one", null);
        }
        if (!planned.ok()) {
            throw new MoveException(null, "move of plan " + plan.move() + " - was not begun: " + planned.why(), null);
        }
        MoveRecord move = find(plan.move());
        Watcher watcher = new Watcher(listener, crashPoint);
        try (Lease lease = Lease.hold(parts, MoveSession.ticket(move), since)) {
            MoveRun run = new MoveRun(parts, move, lease, watcher);
            if (!move.source().equals(plan.source()) || move.generation() != plan.generation()) {
                run.settle("the tenant has moved since the plan was made");
                throw new MoveException(move.id(), "plan " + plan.move() + " - is out of date, make a new one", null);
            }
            watcher.phase(move, MovePhase.PLANNED, parts.clocks());
            run.forward(plan.fingerprint());
        } catch (MoveException e) {
            keepReport(move.id(), e);
            throw e;
        }
        return new Reports(parts).keep(move.id());
    }

    private void keepReport(UUID move, MoveException failure) {
        try {
            new Reports(parts).keep(move);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
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
        MoveRecord before = find(move);
        if (before.phase().finished()) {
            return new Reports(parts).of(move);
        }
        long since = parts.clocks().nanoTime();
        MoveRecord taken = parts.journal()
                .takeOver(move, owner, parts.config().lease().duration(), false)
                .orElseThrow(() -> new MoveException(
                        move,
                        "move " + move + " - is in the hands of " + before.leaseOwner() + " until its lease is over",
                        null));
        try (Lease lease = Lease.hold(parts, MoveSession.ticket(taken), since)) {
            new MoveRun(parts, taken, lease, new Watcher(listener, crashPoint)).goOn();
        } catch (MoveException e) {
            keepReport(move, e);
            throw e;
        }
        return new Reports(parts).keep(move);
    }

    /**
     * Decides that a move shall not happen. Whoever holds its lease undoes it at its next step, or {@link #recover}.
     *
     * @param move the move
     * @param reason for people
     * @throws MoveException when it has flipped already
     */
    public void cancel(UUID move, String reason) {
        StepResult result = parts.journal().cancel(move, reason);
        if (!result.ok()) {
            throw new MoveException(move, "move " + move + " - cannot be cancelled: " + result.why(), null);
        }
    }

    /**
     * Settles every move whose process is gone. Safe to call at any time from several processes at once.
     *
     * @return a report of each move that was taken over
     */
    public List<MoveReport> recover() {
        List<MoveReport> reports = new ArrayList<>();
        for (MoveRecord unfinished : parts.journal().unfinished()) {
            if (unfinished.leaseExpired()) {
                recover(unfinished).ifPresent(reports::add);
            }
        }
        return reports;
    }

    /** One that cannot be settled, for whatever reason, keeps none of the others waiting. */
    private Optional<MoveReport> recover(MoveRecord unfinished) {
        MoveRecord move = unfinished;
        try {
            long since = parts.clocks().nanoTime();
            Optional<MoveRecord> taken = parts.journal()
                    .takeOver(move.id(), owner, parts.config().lease().duration(), false);
            if (taken.isEmpty() || taken.get().phase().finished()) {
                return Optional.empty();
            }
            move = taken.get();
            try (Lease lease = Lease.hold(parts, MoveSession.ticket(move), since)) {
                new MoveRun(parts, move, lease, new Watcher(MoveListener.NONE, crashPoint))
                        .settle("its mover was lost in phase " + move.phase());
                return Optional.of(new Reports(parts).keep(move.id()));
            }
        } catch (RuntimeException e) {
            log.warn("move {} - could not be settled", move.id(), e);
            return Optional.of(Reports.unsettled(move, String.valueOf(e.getMessage())));
        }
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
        MoveRecord before = find(move);
        if (before.phase() == MovePhase.DONE) {
            return new Reports(parts).of(move);
        }
        if (before.phase() != MovePhase.RETAINED && before.phase() != MovePhase.CLEANING) {
            throw new MoveException(
                    move, "move " + move + " - has no old rows to clean (phase=" + before.phase() + ")", null);
        }
        if (before.superseded()) {
            throw new MoveException(move, "move " + move + " - a later move has taken its old rows over", null);
        }
        boolean waits = before.phase() == MovePhase.RETAINED && !now;
        if (waits) {
            // this process's clock asks first, since taking over leaves traces; the directory's decides below
            requireRetentionOver(before, parts.clocks().now());
        }
        long since = parts.clocks().nanoTime();
        // briefly: who cleans needs an epoch of its own, and a refusal must not keep the next caller waiting
        MoveRecord taken = parts.journal()
                .takeOver(move, owner, INSTANT, false)
                .orElseThrow(() -> new MoveException(
                        move, "move " + move + " - is being cleaned by " + before.leaseOwner(), null));
        List<MoveStep> steps = parts.journal().steps(move);
        if (taken.phase() == MovePhase.CLEANING) {
            parts.journal()
                    .renew(MoveSession.ticket(taken), parts.config().lease().duration());
        } else if (waits) {
            // this step was stamped when the move was taken over, just now
            requireRetentionOver(taken, steps.get(steps.size() - 1).at());
        }
        clean(taken, steps, since);
        return new Reports(parts).keep(move);
    }

    /**
     * Finished moves whose old rows still wait, or are going.
     *
     * @return the records, oldest first
     */
    public List<MoveRecord> retained() {
        return parts.journal().retained();
    }

    /**
     * Cleans after every move whose retention is over, and goes on where a cleaning process was lost.
     *
     * @return a report of each move that was due
     */
    public List<MoveReport> cleanDue() {
        List<MoveReport> reports = new ArrayList<>();
        for (MoveRecord move : retained()) {
            if (due(move)) {
                reports.add(cleanAlone(move));
            }
        }
        return reports;
    }

    private boolean due(MoveRecord move) {
        return move.phase() == MovePhase.CLEANING
                ? move.leaseExpired()
                : !parts.clocks().now().isBefore(keptUntil(move));
    }

    private MoveReport cleanAlone(MoveRecord move) {
        try {
            return clean(move.id(), false);
        } catch (RuntimeException e) {
            log.warn("move {} - could not be cleaned", move.id(), e);
            return Reports.uncleaned(move, String.valueOf(e.getMessage()));
        }
    }

    private void clean(MoveRecord move, List<MoveStep> steps, long since) {
        Watcher watcher = new Watcher(MoveListener.NONE, crashPoint);
        try (Lease lease = Lease.hold(parts, MoveSession.ticket(move), since);
                MoveSession session = new MoveSession(parts, move, lease, watcher)) {
            new Fencing(session).source();
            new Cleaning(session, steps).run();
        } catch (SQLException | MoveStopped e) {
            throw new MoveException(move.id(), "move " + move.id() + " - was not cleaned: " + e.getMessage(), e);
        }
    }

    private Instant keptUntil(MoveRecord move) {
        return move.phaseSince().plus(parts.config().retention());
    }

    private void requireRetentionOver(MoveRecord move, Instant clock) {
        Instant over = keptUntil(move);
        if (clock.isBefore(over)) {
            throw new MoveException(
                    move.id(),
                    "move " + move.id() + " - old rows are kept until " + over + " (retention="
                            + parts.config().retention() + ", now=" + clock + ")",
                    null);
        }
    }

    private MoveRecord find(UUID move) {
        return parts.journal()
                .find(move)
                .orElseThrow(() -> new MoveException(move, "move " + move + " - is not in the journal", null));
    }
}
