package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rows of one tenant: whether there are any, and how many PostgreSQL's planner believes in without reading a table. */
record TenantRows(Connection connection, TenantId tenant) {
    private static final String ESTIMATE = "EXPLAIN (FORMAT JSON) SELECT * FROM %s WHERE %s";
    private static final String ANY = "SELECT EXISTS (SELECT FROM %s WHERE %s)";

    // the topmost node comes first
    private static final Pattern NODE = Pattern.compile("\"Plan Rows\": (\\d+),\\s*\"Plan Width\": (\\d+)");

    /** The condition that a row is the tenant's; takes {@link #parameters}. */
    static String condition(TenantTable table) {
        return table.tenant().matches("CAST(? AS text)");
    }

    /** Three times the tenant, as often as the condition asks for it. */
    static Object[] parameters(TenantId tenant) {
        return new Object[] {tenant.value(), tenant.value(), tenant.value()};
    }

    TableEstimate estimate(TenantTable table) throws SQLException {
        Matcher node =
                NODE.matcher(Jdbc.one(connection, sql(ESTIMATE, table), row -> row.getString(1), parameters(tenant)));
        if (!node.find()) {
            return new TableEstimate(table.name(), 0, 0);
        }
        BigDecimal rows = new BigDecimal(node.group(1));
        return new TableEstimate(
                table.name(),
                rows.longValue(),
                rows.multiply(new BigDecimal(node.group(2))).longValue());
    }

    /** Whether there is any row of the tenant. */
    boolean any(TenantTable table) throws SQLException {
        return Jdbc.one(connection, sql(ANY, table), row -> row.getBoolean(1), parameters(tenant));
    }

    private static String sql(String template, TenantTable table) {
        return template.formatted(table.from(), condition(table));
    }
}
