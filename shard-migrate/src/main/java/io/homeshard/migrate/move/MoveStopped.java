package io.homeshard.migrate.move;

import io.homeshard.model.StepResult;

/** A move cannot go on: a step was refused, the lease is lost, the move was cancelled, or a comparison failed. */
class MoveStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MoveStopped(String message) {
        super(message);
    }

    /** Passes when the effect of a step is there. */
    static void unlessOk(StepResult result, String step) {
        if (!result.ok()) {
            throw new MoveStopped(step + " - " + result);
        }
    }
}
