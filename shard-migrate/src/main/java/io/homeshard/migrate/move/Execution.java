package io.homeshard.migrate.move;

import io.homeshard.directory.MoveIntent;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.StepResult;
import java.util.List;
import java.util.UUID;

/** Moves that go forward: a plan is run, a move is taken up again, a move is cancelled. */
record Execution(ThisMover mover) {
    MoveReport execute(MovePlan plan, MoveListener listener) {
        List<Finding> obstacles = plan.obstacles();
        if (!obstacles.isEmpty()) {
            throw new MoveException(null, "move of plan " + plan.move() + " - may not run: " + obstacles, null);
        }
        MoveParts parts = mover.parts();
        long since = parts.clocks().nanoTime();
        begin(plan);
        MoveRecord move = mover.find(plan.move());
        Watcher watcher = mover.watcher(listener);
        watcher.expect(plan.tables());
        try (Lease lease = mover.hold(move, since)) {
            MoveRun run = new MoveRun(parts, move, lease, watcher);
            if (!move.source().equals(plan.source()) || move.generation() != plan.generation()) {
                run.settle("the tenant has moved since the plan was made");
                throw new MoveException(move.id(), "plan " + plan.move() + " - is out of date, make a new one", null);
            }
            watcher.phase(move, MovePhase.PLANNED, parts.clocks());
            run.forward(plan.fingerprint());
        } catch (MoveException e) {
            mover.keepReport(move.id(), e);
            throw e;
        }
        return mover.reportMoved(move);
    }

    private void begin(MovePlan plan) {
        MoveParts parts = mover.parts();
        StepResult planned = mover.steps()
                .run(
                        Step.PLAN,
                        () -> parts.journal()
                                .plan(
                                        new MoveIntent(plan.move(), plan.tenant(), plan.target(), plan.terms()),
                                        mover.owner(),
                                        parts.config().lease().duration()));
        if (planned.outcome() == StepResult.Outcome.ALREADY_DONE) {
            throw new MoveException(
                    plan.move(), "plan " + plan.move() + " - was executed already, make a new one", null);
        }
        if (!planned.ok()) {
            throw new MoveException(null, "move of plan " + plan.move() + " - was not begun: " + planned.why(), null);
        }
    }

    MoveReport resume(UUID move, MoveListener listener) {
        MoveParts parts = mover.parts();
        MoveRecord before = mover.find(move);
        if (before.phase().finished()) {
            return new Reports(parts).of(move);
        }
        long since = parts.clocks().nanoTime();
        MoveRecord taken = mover.takeOver(move, parts.config().lease().duration())
                .orElseThrow(() -> new MoveException(
                        move,
                        "move " + move + " - is in the hands of " + before.leaseOwner() + " until its lease is over",
                        null));
        try (Lease lease = mover.hold(taken, since)) {
            new MoveRun(parts, taken, lease, mover.watcher(listener)).goOn();
        } catch (MoveException e) {
            mover.keepReport(move, e);
            throw e;
        }
        return mover.keepReport(move);
    }

    void cancel(UUID move, String reason) {
        StepResult result =
                mover.steps().run(Step.CANCEL, () -> mover.parts().journal().cancel(move, reason));
        if (!result.ok()) {
            String remedy =
                    mover.parts().journal().find(move).map(Execution::remedy).orElse("");
            throw new MoveException(move, "move " + move + " - cannot be cancelled: " + result.why() + remedy, null);
        }
        mover.running().cancelled(move, reason);
    }

    private static String remedy(MoveRecord move) {
        return switch (move.phase()) {
            case FLIPPED, ACTIVATED ->
                "; the tenant goes to shard " + move.target()
                        + ", when the move is finished an ordinary one brings it back";
            case RETURNING -> "; it is being sent back to shard " + move.source();
            case RETAINED, CLEANING, DONE ->
                "; the tenant went to shard " + move.target() + ", an ordinary move brings it back";
            case PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED, ABORTING, ABORTED -> "";
        };
    }
}
