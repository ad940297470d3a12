package io.homeshard.migrate.move;

/**
 * Hears of every crash point that a mover comes by, in the thread that runs the step; in production nobody does. What
 * it throws, the mover meets there. Tests stop movers with it, and see that no effect happens outside a step.
 */
@FunctionalInterface
interface StepHook {
    /** Never stops. */
    StepHook NONE = point -> {};

    void reached(CrashPoint point);

    /** The step is over, with or without effect. */
    default void left(Step step) {}
}
