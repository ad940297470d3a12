package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import java.util.List;

/**
 * A foreign key of a tenant table. A key of a partition counts for the partitioned table. Immutable.
 *
 * @param name of the constraint
 * @param child table with the key
 * @param childColumns its columns, in the order of the key
 * @param parent table it refers to: a tenant table, or any other
 * @param parentColumns the columns referred to, in the same order
 * @param deferrable whether the check can wait for the end of the transaction
 * @param validated whether all rows were checked; false for NOT VALID
 */
public record ForeignKey(
        String name,
        TableName child,
        List<String> childColumns,
        TableName parent,
        List<String> parentColumns,
        boolean deferrable,
        boolean validated) {
    /** Keeps its own copies of the lists. */
    public ForeignKey {
        childColumns = List.copyOf(childColumns);
        parentColumns = List.copyOf(parentColumns);
    }

    /**
     * Whether the rows of a table refer to rows of the same table.
     *
     * @return true when child and parent are one table
     */
    public boolean within() {
        return child.equals(parent);
    }
}
