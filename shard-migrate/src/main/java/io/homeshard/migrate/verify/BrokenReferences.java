package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;

/**
 * Rows of a tenant that refer to rows that are not there. Immutable.
 *
 * @param table the table that refers
 * @param constraint name of the foreign key
 * @param rows number of rows
 */
public record BrokenReferences(TableName table, String constraint, long rows) {
    @Override
    public String toString() {
        return table + ": foreign key " + constraint + " (rows=" + rows + ")";
    }
}
