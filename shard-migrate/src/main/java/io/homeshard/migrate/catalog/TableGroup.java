package io.homeshard.migrate.catalog;

import io.homeshard.model.TableName;
import java.util.List;

/**
 * Tables that can only be loaded together: one alone, or several whose foreign keys form a circle. Immutable.
 *
 * @param tables one or more; in a circle, parents first as far as the keys that cannot be deferred leave an order
 * @param keys the foreign keys among these tables, those of a table to itself included
 */
public record TableGroup(List<TenantTable> tables, List<ForeignKey> keys) {
    /**
     * Keeps its own copies of the lists.
     *
     * @throws IllegalArgumentException when there is no table
     */
    public TableGroup {
        tables = List.copyOf(tables);
        keys = List.copyOf(keys);
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("group must have a table");
        }
    }

    /**
     * Whether several tables refer to each other.
     *
     * @return false for a table alone, which may yet refer to itself: one COPY checks its keys at its end
     */
    public boolean circle() {
        return tables.size() > 1;
    }

    /**
     * Whether rows refer to rows of the same table, so that a part of the table cannot be loaded on its own.
     *
     * @return true when some key does
     */
    public boolean refersToItself() {
        return keys.stream().anyMatch(ForeignKey::within);
    }

    /**
     * Whether the group can be loaded with its keys in force: in one transaction, table by table in the order of
     * {@link #tables}, after {@code SET CONSTRAINTS ALL DEFERRED}.
     *
     * @return false for a circle of keys that cannot be deferred
     */
    public boolean loadsDeferred() {
        List<TableName> order = tables.stream().map(TenantTable::name).toList();
        return keys.stream()
                .allMatch(key -> key.deferrable() || order.indexOf(key.parent()) <= order.indexOf(key.child()));
    }
}
