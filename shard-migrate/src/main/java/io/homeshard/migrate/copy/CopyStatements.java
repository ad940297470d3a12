package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import java.util.stream.Collectors;

/**
 * The two COPY statements of a table. COPY takes no parameters, and a tenant must never become SQL text: it is read
 * from a setting of the transaction, which was set by a bound parameter.
 */
final class CopyStatements {
    /** Puts the tenant where {@link #out} finds it; one parameter. */
    static final String SET_TENANT = "SELECT set_config('homeshard.copy_tenant', ?, true)";

    private static final String TENANT = "current_setting('homeshard.copy_tenant')";

    private CopyStatements() {}

    /** The query whose rows are copied: computed columns are left out, since the target computes its own. */
    static String query(TenantTable table) {
        return "SELECT " + columns(table) + " FROM " + table.from() + " WHERE "
                + table.tenant().matches(TENANT);
    }

    static String out(TenantTable table) {
        return "COPY (" + query(table) + ") TO STDOUT";
    }

    /** Columns are named on both sides: their physical order may differ between shards. */
    static String in(TenantTable table) {
        return "COPY " + Identifiers.quote(table.name()) + " (" + columns(table) + ") FROM STDIN";
    }

    private static String columns(TenantTable table) {
        return table.columns().stream()
                .filter(column -> !column.generated())
                .map(TableColumn::name)
                .map(Identifiers::quote)
                .collect(Collectors.joining(", "));
    }
}
