package io.homeshard.migrate.move;

import io.homeshard.directory.FreezeLimits;
import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sees to it that a freeze keeps to the terms of its move: the end of the window, and the budget. */
record FreezeTerms(MoveSession session, FreezeLimits limits) {
    static FreezeTerms read(MoveSession session) {
        return new FreezeTerms(
                session,
                session.parts()
                        .journal()
                        .limits(session.move().id())
                        .orElseThrow(() -> new MoveStopped("move is not in the journal any more")));
    }

    /** From now on the end of the window ends the freeze. */
    void beginWindow() {
        Duration left = limits.windowLeft();
        if (left != null) {
            start(left, () -> "the window ended before the flip, the tenant is thawed");
        }
    }

    /**
     * From now on the end of the budget ends the freeze. An earlier run that was frozen already has used some of it.
     *
     * @param since monotonic time since which writes may have had to wait
     */
    void beginBudget(long since) {
        Duration budget = limits.freezeBudget();
        if (budget == null) {
            return;
        }
        Clocks clocks = session.parts().clocks();
        long began = since - limits.frozenFor().toNanos();
        Duration left = budget.minusNanos(clocks.nanoTime() - began);
        start(
                left,
                () -> "the freeze has used up its budget before the flip, the tenant is thawed (freezeBudget=" + budget
                        + ", frozen="
                        + Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(clocks.nanoTime() - began)) + ")");
    }

    private void start(Duration left, Supplier<String> reason) {
        Lease lease = session.lease();
        FreezeTimer.start(
                lease,
                session.parts().clocks(),
                lease.now() + left.toNanos(),
                reason,
                why -> session.watcher()
                        .steps()
                        .run(Step.ABORT, () -> session.parts().journal().abort(session.ticket(), why)));
    }
}
