package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;

/**
 * A table whose rows have been copied and committed. Immutable.
 *
 * @param table the table
 * @param rows number of rows
 * @param bytes what went over the wire, in COPY's text form
 */
public record CopiedTable(TableName table, long rows, long bytes) {}
