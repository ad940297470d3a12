package io.homeshard.migrate.move;

/** A mover that stops dead in this JVM: an error that no part of the mover handles. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(CrashPoint.Effect effect) {
        super("stopped after " + effect);
    }

    static CrashPoint at(CrashPoint.Effect point) {
        return effect -> {
            if (effect == point) {
                throw new SimulatedCrash(effect);
            }
        };
    }
}
