package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;

/**
 * A table whose rows have been copied and committed. Immutable.
 *
 * @param table the table
 * @param rows number of rows
 * @param bytes what went over the wire, in the form of COPY that was used
 */
public record CopiedTable(TableName table, long rows, long bytes) {}
