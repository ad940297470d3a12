package io.homeshard.model;

/**
 * A table by its exact names, as the catalog spells them; nothing is folded. Immutable and thread-safe.
 *
 * @param schema schema name, 1 to 63 bytes
 * @param name table name, 1 to 63 bytes
 */
public record TableName(String schema, String name) implements Comparable<TableName> {
    /**
     * Checks that both names are there.
     *
     * @throws IllegalArgumentException when one is empty or holds a NUL
     */
    public TableName {
        if (schema.isEmpty() || name.isEmpty() || schema.indexOf(0) >= 0 || name.indexOf(0) >= 0) {
            throw new IllegalArgumentException("table name must be schema and name, was '" + schema + "." + name + "'");
        }
    }

    /**
     * A table written as {@code schema.name}; for names that hold a dot use the constructor.
     *
     * @param text exactly one dot, exact case, no quotes
     * @return the name
     */
    public static TableName parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0 || text.indexOf('.', dot + 1) >= 0) {
            throw new IllegalArgumentException("table must be written schema.name, was '" + text + "'");
        }
        return new TableName(text.substring(0, dot), text.substring(dot + 1));
    }

    @Override
    public int compareTo(TableName other) {
        int bySchema = schema.compareTo(other.schema);
        return bySchema != 0 ? bySchema : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
