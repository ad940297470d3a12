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
     * A table is on the target, committed.
     *
     * @param copied the table and its figures
     */
    default void tableCopied(CopiedTable copied) {}
}
