package io.homeshard.internal.jdbc;

import io.homeshard.model.TableName;

/** The one place that quotes identifiers. */
public final class Identifiers {
    private Identifiers() {}

    /**
     * Quotes one name for SQL text, exactly as it is spelled.
     *
     * @param name column, table, schema or type name from a catalog or a declaration
     * @return the quoted name
     */
    public static String quote(String name) {
        if (name.isEmpty() || name.indexOf(0) >= 0) {
            throw new IllegalArgumentException("identifier must not be empty or hold a NUL");
        }
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /**
     * Quotes a table name.
     *
     * @param table the table
     * @return {@code "schema"."name"}
     */
    public static String quote(TableName table) {
        return quote(table.schema()) + "." + quote(table.name());
    }
}
