package io.homeshard.migrate.move;

import org.jspecify.annotations.Nullable;

/**
 * The one way by which a mover does what has an effect: a crash point, the step, another crash point. A step that failed
 * has no point after it, whatever its effect was.
 */
record Steps(StepHook hook) {
    /** Work with a result. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }

    /** Work without one. */
    @FunctionalInterface
    interface Action<X extends Exception> {
        void run() throws X;
    }

    /** Runs a step. */
    <T extends @Nullable Object, X extends Exception> T run(Step step, Work<T, X> work) throws X {
        hook.reached(CrashPoint.before(step));
        try {
            T result = work.run();
            hook.reached(CrashPoint.after(step));
            return result;
        } finally {
            hook.left(step);
        }
    }

    /** Runs a step that has no result. */
    <X extends Exception> void act(Step step, Action<X> action) throws X {
        Object nothing = new Object();
        run(step, () -> {
            action.run();
            return nothing;
        });
    }

    /** Told that a step begins whose course somebody else directs; {@link #end} follows, unless it fails. */
    void begin(Step step) {
        hook.reached(CrashPoint.before(step));
    }

    /** Told that it had its effect. */
    void end(Step step) {
        hook.reached(CrashPoint.after(step));
        hook.left(step);
    }
}
