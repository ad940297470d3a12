package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;

/**
 * A column of a tenant table that takes its values from a sequence. Immutable.
 *
 * @param table the table
 * @param column the column
 * @param plain whether the column holds the sequence's values as they are, as integers, so that its largest value
 *     bounds the sequence; false for defaults such as {@code 'INV-' || nextval(...)}
 */
public record SequenceColumn(TableName table, String column, boolean plain) {}
