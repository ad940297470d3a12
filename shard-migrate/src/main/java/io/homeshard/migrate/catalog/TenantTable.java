package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.model.TableName;
import java.util.List;

/**
 * A tenant table as the catalog has it. A partitioned table stands for all of its partitions. Immutable.
 *
 * @param name its name
 * @param tenant its tenant column
 * @param columns all columns that were not dropped, in the order of the table
 * @param partitioned whether the rows lie in partitions
 */
public record TenantTable(TableName name, TenantColumn tenant, List<TableColumn> columns, boolean partitioned) {
    /**
     * Keeps its own copy of the list.
     *
     * @throws IllegalArgumentException when the tenant column is not among the columns
     */
    public TenantTable {
        columns = List.copyOf(columns);
        if (columns.stream().noneMatch(column -> column.name().equals(tenant.name()))) {
            throw new IllegalArgumentException("table " + name + " must have its tenant column " + tenant.name());
        }
    }

    /**
     * Name of the tenant column.
     *
     * @return the exact name
     */
    public String tenantColumn() {
        return tenant.name();
    }

    /**
     * Type of the tenant column.
     *
     * @return the base type without modifiers, as SQL text
     */
    public String tenantType() {
        return tenant.type();
    }

    /**
     * The table as an item of FROM. Inheritance children are tables of their own, so that a parent is read alone; the
     * root of a partitioned table is read with its partitions.
     *
     * @return quoted SQL text
     */
    public String from() {
        return (partitioned ? "" : "ONLY ") + Identifiers.quote(name);
    }
}
