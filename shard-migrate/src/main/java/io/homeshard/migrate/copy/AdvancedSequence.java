package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;

/**
 * A sequence of the target that was moved on. Immutable.
 *
 * @param sequence its name
 * @param before the value that it would have handed out next
 * @param after the value that it hands out next, in its own direction beyond {@code before}
 */
public record AdvancedSequence(TableName sequence, long before, long after) {}
