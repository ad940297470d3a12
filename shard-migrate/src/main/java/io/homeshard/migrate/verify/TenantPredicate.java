package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Which rows {@code x} of a table are the tenant's, by the formula of the shard's guard. It is not the copy's formula on
 * purpose: rows that the copy took for somebody else's would else be missing in both digests.
 *
 * @param sql a condition
 * @param parameters how often the tenant is bound in it
 */
record TenantPredicate(String sql, int parameters) {
    private static final String PRESENT = """
            SELECT to_regprocedure('homeshard.tenant_condition(regclass, name)') IS NOT NULL
            """;
    private static final String CONDITION = "SELECT homeshard.tenant_condition(CAST(? AS regclass), CAST(? AS name))";
    private static final String PARAMETER = "$1";

    static TenantPredicate read(Connection shard, TableName table, String tenantColumn) throws SQLException {
        if (!Jdbc.one(shard, PRESENT, row -> row.getBoolean(1))) {
            return new TenantPredicate("x." + Identifiers.quote(tenantColumn) + "::text = ?", 1);
        }
        return of(Jdbc.one(shard, CONDITION, row -> row.getString(1), Identifiers.quote(table), tenantColumn));
    }

    /** The driver numbers parameters itself. What lies between double quotes is a name, however it looks. */
    static TenantPredicate of(String condition) {
        String[] parts = condition.split("\"", -1);
        int parameters = 0;
        for (int i = 0; i < parts.length; i += 2) {
            for (int at = parts[i].indexOf(PARAMETER); at >= 0; at = parts[i].indexOf(PARAMETER, at + 1)) {
                parameters++;
            }
            parts[i] = parts[i].replace(PARAMETER, "?::text");
        }
        return new TenantPredicate(String.join("\"", parts), parameters);
    }
}
