package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.TenantTable;

/**
 * The two COPY statements of a part. COPY takes no parameters, and a tenant must never become SQL text: it is read
 * from a setting of the transaction, which was set by a bound parameter.
 */
final class CopyStatements {
    /** Puts the tenant where {@link #out} finds it; one parameter. */
    static final String SET_TENANT = "SELECT set_config('homeshard.copy_tenant', ?, true)";

    private static final String TENANT = "current_setting('homeshard.copy_tenant')";

    private CopyStatements() {}

    /** The condition that a row is the tenant's. */
    static String condition(TenantTable table) {
        return table.tenant().matches(TENANT);
    }

    /** The query whose rows are copied. */
    static String query(CopyPart part) {
        return "SELECT " + part.form().expressions() + " FROM " + part.table().from() + " WHERE "
                + condition(part.table()) + part.range().condition();
    }

    static String out(CopyPart part) {
        return "COPY (" + query(part) + ") TO STDOUT (FORMAT " + format(part) + ")";
    }

    static String in(CopyPart part) {
        return "COPY " + Identifiers.quote(part.name()) + " (" + part.form().names() + ") FROM STDIN (FORMAT "
                + format(part) + ")";
    }

    private static String format(CopyPart part) {
        return part.form().format().option();
    }
}
