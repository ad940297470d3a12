package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row that two shards do not hold alike. Immutable. The key is the tenant's data: {@link #toString} leaves it out, so
 * that it reaches no log by accident.
 *
 * @param table the table
 * @param key columns of the primary key with their values as text, in the key's order; empty when there is none
 * @param source where the row is on the source, as {@code ctid}, or null when it is not there like that
 * @param target where it is on the target, or null when it is not there like that
 */
public record RowDifference(
        TableName table,
        Map<String, @Nullable String> key,
        @Nullable String source,
        @Nullable String target) {
    /** Keeps its own copy of the map. */
    public RowDifference {
        key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    }

    @Override
    public String toString() {
        String where =
                source == null ? "on the target only" : target == null ? "on the source only" : "with other values";
        return table + ": a row " + where;
    }
}
