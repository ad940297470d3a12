package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;

/** Does something when a move enters a phase. */
record PhaseListener(MovePhase phase, Action action) implements MoveListener {
    /** What to do. */
    @FunctionalInterface
    interface Action {
        void run(MoveRecord move) throws Exception;
    }

    static MoveListener at(MovePhase phase, Action action) {
        return new PhaseListener(phase, action);
    }

    @Override
    public void phase(MoveRecord move) {
        if (move.phase() == phase) {
            try {
                action.run(move);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
