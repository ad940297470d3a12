package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Identifiers;

/**
 * The column that says whose row it is, and how to compare it. Immutable.
 *
 * @param name exact name
 * @param type the base type under all domains, without modifiers: casting a tenant to {@code varchar(5)} would cut it
 *     and find somebody else's rows
 * @param operatorSchema schema of the type's {@code =}, which is not {@code pg_catalog} for extension types
 */
public record TenantColumn(String name, String type, String operatorSchema) {
    /**
     * The condition that a row belongs to one tenant; an index that is led by the column can serve it. A tenant that is
     * not in the type's own spelling ({@code 007} for an integer column) has no rows.
     *
     * @param tenant SQL expression of type text that yields the tenant: a parameter or a setting, never the tenant
     * @return the condition, to stand alone or behind AND
     */
    public String matches(String tenant) {
        return "%1$s OPERATOR(%2$s.=) (%3$s)::%4$s AND ((%3$s)::%4$s)::text OPERATOR(pg_catalog.=) (%3$s)"
                .formatted(Identifiers.quote(name), Identifiers.quote(operatorSchema), tenant, type);
    }
}
