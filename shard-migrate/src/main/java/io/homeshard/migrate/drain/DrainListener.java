package io.homeshard.migrate.drain;

import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;

/**
 * Hears how a drain goes on. Called by the threads that move, several at once. What it throws is logged and changes
 * nothing.
 */
public interface DrainListener {
    /** Hears nothing. */
    DrainListener NONE = new DrainListener() {};

    /**
     * A move is about to begin.
     *
     * @param plan what it will do
     * @return who hears how that move goes on
     */
    default MoveListener begun(MovePlan plan) {
        return MoveListener.NONE;
    }

    /**
     * A tenant has left the shard.
     *
     * @param report of its move
     */
    default void moved(MoveReport report) {}

    /**
     * A tenant has not left the shard, or it is not settled yet whether it has.
     *
     * @param failure which, and why
     */
    default void failed(DrainFailure failure) {}
}
