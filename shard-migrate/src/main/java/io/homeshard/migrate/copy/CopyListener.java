package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;

/**
 * Hears how a copy gets on, in the copying thread, so that it must be quick. What it throws stops the copy. Every
 * method does nothing by default.
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
     * @param bytes bytes of this table so far
     */
    default void progress(TableName table, long bytes) {}

    /**
     * All rows of a table are on the target, in a transaction that is not committed yet.
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
