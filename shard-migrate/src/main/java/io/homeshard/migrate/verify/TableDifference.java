package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;

/**
 * A table in which two shards differ. Immutable.
 *
 * @param table the table
 * @param what number of rows and sums of columns that differ; no values of single rows
 */
public record TableDifference(TableName table, String what) {
    @Override
    public String toString() {
        return table + ": " + what;
    }
}
