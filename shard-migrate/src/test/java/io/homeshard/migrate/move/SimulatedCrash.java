package io.homeshard.migrate.move;

/** A mover that stops dead in this JVM: an error that no part of the mover handles. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(CrashPoint point) {
        super("stopped " + point);
    }

    /** Stops after a step. */
    static StepHook at(Step step) {
        return at(CrashPoint.after(step));
    }

    static StepHook at(CrashPoint point) {
        return here -> {
            if (here.equals(point)) {
                throw new SimulatedCrash(here);
            }
        };
    }
}
