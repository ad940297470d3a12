package io.homeshard.migrate.move;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Does something, once, when a mover comes by a crash point: of steps that are repeated, at the second one. */
final class CrashTrap implements StepHook {
    /** With the first one nothing would be half done. */
    private static final Set<Step> REPEATED =
            EnumSet.of(Step.SEND_TABLE, Step.COMMIT_TABLE, Step.SWEEP_LEFTOVERS, Step.SWEEP_COPIED, Step.SWEEP_OLD);

    private final CrashPoint point;
    private final Runnable then;
    private final AtomicInteger left;

    CrashTrap(CrashPoint point, Runnable then) {
        this.point = point;
        this.then = then;
        this.left = new AtomicInteger(REPEATED.contains(point.step()) ? 2 : 1);
    }

    @Override
    public void reached(CrashPoint here) {
        if (here.equals(point) && left.decrementAndGet() == 0) {
            then.run();
        }
    }

    /** Whether a mover has come by. */
    boolean sprung() {
        return left.get() <= 0;
    }
}
