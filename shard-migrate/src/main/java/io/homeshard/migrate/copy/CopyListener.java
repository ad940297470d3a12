package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;

/**
 * Hears how a copy gets on, in the threads that copy, but never in two at once: calls follow one another, and each sees
 * what the one before did. It must be quick, since all streams wait for it. What it throws stops the copy. Every method
 * does nothing by default.
 */
public interface CopyListener {
    /** Hears nothing. */
    CopyListener NONE = new CopyListener() {};

    /**
     * A table is about to be copied.
     *
     * @param table the table
     */
    default void tableStarted(TableName table) {}

    /**
     * Rows are on their way; not committed yet. Called about once for each megabyte.
     *
     * @param table the table
     * @param rows rows of this table so far
     * @param bytes bytes of this table so far
     */
    default void progress(TableName table, long rows, long bytes) {}

    /** The copy is held up by its limits. Called several times a second by each stream while that lasts. */
    default void waiting() {}

    /**
     * All rows of a table are on the target, the last of them in a transaction that is not committed yet.
     *
     * @param table the table
     */
    default void tableSent(TableName table) {}

    /**
     * A table is on the target, committed.
     *
     * @param copied the table and its figures
     */
    default void tableCopied(CopiedTable copied) {}
}
