package io.homeshard.model;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The one declaration of an application's tables: used by guard, mover, readiness and test tools.
 *
 * <p>In the named schemas every table that has the tenant column is a <em>tenant table</em>, unless it is declared
 * otherwise. <em>Reference tables</em> are whole on every shard; <em>ignored tables</em> are neither. A table whose
 * tenant column has another name (the root table's {@code id}) is named by {@link Builder#tenantTable}. Immutable and
 * thread-safe.
 *
 * @param tenantColumn name of the tenant column
 * @param schemas the application's schemas, at least one
 * @param tenantTables tenant tables whose tenant column has another name, with that name
 * @param referenceTables tables copied whole onto every shard
 * @param ignoredTables tables that are neither
 * @param bulkTables tenant tables that are written by statements of many rows; a guard of another shape, see
 *     {@link Builder#writtenInBulk}
 */
public record TenantSchema(
        String tenantColumn,
        List<String> schemas,
        Map<TableName, String> tenantTables,
        Set<TableName> referenceTables,
        Set<TableName> ignoredTables,
        Set<TableName> bulkTables) {
    /**
     * Checks that the declaration does not contradict itself.
     *
     * @throws IllegalArgumentException when it is empty or a table is declared twice
     */
    public TenantSchema {
        if (tenantColumn.isEmpty()) {
            throw new IllegalArgumentException("tenantColumn must not be empty");
        }
        if (schemas.isEmpty()) {
            throw new IllegalArgumentException("schemas must name at least one schema");
        }
        if (schemas.contains("homeshard")) {
            throw new IllegalArgumentException("schemas must not contain homeshard, which is the library's own");
        }
        schemas = List.copyOf(schemas);
        tenantTables = Map.copyOf(tenantTables);
        referenceTables = Set.copyOf(referenceTables);
        ignoredTables = Set.copyOf(ignoredTables);
        bulkTables = Set.copyOf(bulkTables);
        for (TableName table : referenceTables) {
            if (ignoredTables.contains(table) || tenantTables.containsKey(table)) {
                throw new IllegalArgumentException("table " + table + " is declared twice");
            }
        }
        for (TableName table : ignoredTables) {
            if (tenantTables.containsKey(table)) {
                throw new IllegalArgumentException("table " + table + " is declared twice");
            }
        }
        for (TableName table : bulkTables) {
            if (referenceTables.contains(table) || ignoredTables.contains(table)) {
                throw new IllegalArgumentException(
                        "table " + table + " is no tenant table, so it has no guard to choose");
            }
        }
    }

    /**
     * Begins a declaration.
     *
     * @param tenantColumn exact name of the tenant column
     * @return a builder, not thread-safe
     */
    public static Builder tenantColumn(String tenantColumn) {
        return new Builder(tenantColumn);
    }

    /** Collects a {@link TenantSchema}. Not thread-safe. */
    public static final class Builder {
        private final String tenantColumn;
        private final Set<String> schemas = new LinkedHashSet<>();
        private final Map<TableName, String> tenantTables = new TreeMap<>();
        private final Set<TableName> reference = new LinkedHashSet<>();
        private final Set<TableName> ignored = new LinkedHashSet<>();
        private final Set<TableName> bulk = new LinkedHashSet<>();

        private Builder(String tenantColumn) {
            this.tenantColumn = tenantColumn;
        }

        /**
         * Adds schemas of the application.
         *
         * @param names exact schema names
         * @return this
         */
        public Builder inSchemas(String... names) {
            schemas.addAll(List.of(names));
            return this;
        }

        /**
         * Declares a tenant table whose tenant column has its own name.
         *
         * @param table {@code schema.name}
         * @param column its tenant column
         * @return this
         */
        public Builder tenantTable(String table, String column) {
            tenantTables.put(TableName.parse(table), column);
            return this;
        }

        /**
         * Declares reference tables.
         *
         * @param tables {@code schema.name} each
         * @return this
         */
        public Builder reference(String... tables) {
            for (String table : tables) {
                reference.add(TableName.parse(table));
            }
            return this;
        }

        /**
         * Declares tables that are neither tenant nor reference tables.
         *
         * @param tables {@code schema.name} each
         * @return this
         */
        public Builder ignore(String... tables) {
            for (String table : tables) {
                ignored.add(TableName.parse(table));
            }
            return this;
        }

        /**
         * Declares tenant tables that are mostly written by statements of many rows: their guard looks once at each
         * statement instead of once at each row. That is cheaper from some six rows in a statement on, and dearer below.
         * Has no effect on partitioned tables, partitions and children by INHERITS, whose rows a statement trigger does
         * not always see.
         *
         * @param tables {@code schema.name} each
         * @return this
         */
        public Builder writtenInBulk(String... tables) {
            for (String table : tables) {
                bulk.add(TableName.parse(table));
            }
            return this;
        }

        /**
         * Ends the declaration.
         *
         * @return the declaration
         */
        public TenantSchema build() {
            return new TenantSchema(tenantColumn, List.copyOf(schemas), tenantTables, reference, ignored, bulk);
        }
    }
}
