package io.homeshard.migrate.preflight;

import io.homeshard.model.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a table that two rows may not be alike: a unique index or an exclusion constraint.
 *
 * @param table the table
 * @param name of the index
 * @param exclusion whether it is an exclusion constraint
 * @param nullsEqual whether two nulls count as alike
 * @param predicate which rows it is about, as an SQL expression, or null for all
 * @param parts what is compared
 */
record KeyRule(
        TableName table,
        String name,
        boolean exclusion,
        boolean nullsEqual,
        @Nullable String predicate,
        List<Part> parts) {
    /**
     * One of the things that are compared.
     *
     * @param column the column, or null when it is an expression
     * @param expression SQL expression over the table's columns
     * @param type its type
     * @param operator which says that two are alike, as OPERATOR(schema.name)
     * @param equality whether it means equal, and not for instance overlapping
     */
    record Part(@Nullable String column, String expression, String type, String operator, boolean equality) {}

    /** Whether rows of two tenants can never break it. */
    boolean contains(String tenantColumn) {
        return parts.stream().anyMatch(part -> part.equality() && tenantColumn.equals(part.column()));
    }

    /** Whether all values are random enough. */
    boolean random() {
        return parts.stream().anyMatch(part -> part.equality() && part.type().equals("uuid"));
    }

    String describe() {
        return (exclusion ? "exclusion constraint " : "unique key ") + name + " on "
                + parts.stream().map(Part::expression).toList();
    }

    /** Fixed name of the finding that it lacks the tenant. */
    String finding() {
        return exclusion ? "exclusion-without-tenant" : "unique-without-tenant";
    }
}
