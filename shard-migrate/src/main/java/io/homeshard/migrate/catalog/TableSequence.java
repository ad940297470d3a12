package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import java.util.List;
import java.util.OptionalLong;

/**
 * A sequence that tenant rows may take values from: behind an identity or serial column, named in a default, or
 * free-standing in one of the application's schemas. Immutable.
 *
 * @param name its name
 * @param columns columns that use it; empty for one that only the application calls
 * @param increment its step; negative when it counts down
 * @param cache how many values a session takes at once
 * @param lastValue the last value handed out when the catalog was read, or empty when none was yet
 */
public record TableSequence(
        TableName name, List<SequenceColumn> columns, long increment, long cache, OptionalLong lastValue) {
    /** Keeps its own copy of the list. */
    public TableSequence {
        columns = List.copyOf(columns);
    }
}
