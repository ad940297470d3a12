package io.homeshard.migrate.move;

import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.TableName;

/**
 * Hears how a move goes on. Called by the thread that moves, which waits for it: while a listener takes its time the
 * tenant stays as it is. What it throws is logged and does not break the move.
 */
public interface MoveListener {
    /** Hears nothing. */
    MoveListener NONE = new MoveListener() {};

    /**
     * A phase was journaled; what belongs to it is about to be done.
     *
     * @param move the move, in its new phase
     */
    default void phase(MoveRecord move) {}

    /**
     * Rows have arrived on the target.
     *
     * @param table the table
     * @param rows rows of this table so far
     * @param bytes bytes of this table so far
     */
    default void progress(TableName table, long rows, long bytes) {}

    /**
     * How far the copy is as a whole; called with the above, and once more when it is complete.
     *
     * @param progress rows, bytes, share and time left
     */
    default void progress(MoveProgress progress) {}
}
