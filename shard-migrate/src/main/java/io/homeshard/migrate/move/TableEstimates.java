package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows and bytes of a tenant as PostgreSQL's planner estimates them: no table is read. */
record TableEstimates(Connection connection, TenantId tenant) {
    private static final String ESTIMATE = "EXPLAIN (FORMAT JSON) SELECT * FROM %s WHERE %s = CAST(? AS %s)";
    private static final String ANY = "SELECT EXISTS (SELECT FROM %s WHERE %s = CAST(? AS %s))";

    PlannedTable read(TenantTable table) throws SQLException {
        String json = Jdbc.one(connection, sql(ESTIMATE, table), row -> row.getString(1), tenant.value());
        // the plan is the only item of an array
        Map<String, ?> top = JsonReader.object(json.substring(json.indexOf('{'), json.lastIndexOf('}') + 1));
        if (top.get("Plan") instanceof Map<?, ?> plan
                && plan.get("Plan Rows") instanceof BigDecimal rows
                && plan.get("Plan Width") instanceof BigDecimal width) {
            return new PlannedTable(
                    table.name(), rows.longValue(), rows.multiply(width).longValue());
        }
        return new PlannedTable(table.name(), 0, 0);
    }

    /** Whether there is any row of the tenant. */
    boolean any(TenantTable table) throws SQLException {
        return Jdbc.one(connection, sql(ANY, table), row -> row.getBoolean(1), tenant.value());
    }

    /** Tables that hold rows of the tenant. */
    List<TenantTable> occupied(List<TenantTable> tables) throws SQLException {
        List<TenantTable> result = new ArrayList<>();
        for (TenantTable table : tables) {
            if (any(table)) {
                result.add(table);
            }
        }
        return result;
    }

    private static String sql(String template, TenantTable table) {
        return template.formatted(table.from(), Identifiers.quote(table.tenantColumn()), table.tenantType());
    }
}
