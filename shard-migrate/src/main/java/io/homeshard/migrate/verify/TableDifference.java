package io.homeshard.migrate.verify;

import io.homeshard.model.TableName;
import java.util.List;

/**
 * A table in which two shards differ. Immutable. Holds no value of a tenant, so that it may stand in a message.
 *
 * @param table the table
 * @param what how they differ: numbers of rows
 * @param buckets the buckets in which they differ, ascending; empty when one side was not read
 */
public record TableDifference(TableName table, String what, List<Integer> buckets) {
    /** As many as a message can bear. */
    private static final int SHOWN = 8;

    /** Keeps its own copy of the list. */
    public TableDifference {
        buckets = List.copyOf(buckets);
    }

    @Override
    public String toString() {
        if (buckets.isEmpty()) {
            return table + ": " + what;
        }
        boolean cut = buckets.size() > SHOWN;
        return table + ": " + what + ", in buckets " + (cut ? buckets.subList(0, SHOWN) : buckets)
                + (cut ? " and " + (buckets.size() - SHOWN) + " more" : "");
    }
}
