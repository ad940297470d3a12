package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rows without a tenant move with nobody; somebody should know whose they are before their table's tenants go. */
final class NullTenants implements SideCheck {
    private static final String NULLABLE = Relations.TENANT_TABLES + """
            SELECT tab.s || '.' || tab.t FROM tab
              JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attname = tab.col AND NOT a.attnotnull
            """;
    private static final String ANY = "SELECT EXISTS (SELECT FROM %s WHERE %s IS NULL)";

    @Override
    public List<Finding> find(Side side) throws SQLException {
        Set<String> nullable = new HashSet<>(Relations.ask(side, NULLABLE, row -> row.getString(1)));
        List<Finding> findings = new ArrayList<>();
        for (TenantTable table : side.catalog().tables()) {
            String column = Identifiers.quote(table.tenantColumn());
            if (nullable.contains(table.name().toString())
                    && Jdbc.one(side.connection(), ANY.formatted(table.from(), column), row -> row.getBoolean(1))) {
                findings.add(new Finding(
                        Severity.WARNING,
                        "null-tenant",
                        side.shard(),
                        table.name(),
                        table.tenantColumn(),
                        "has rows without a tenant, which no move takes along",
                        "give them their tenant and make the column NOT NULL, or accept that they stay"));
            }
        }
        return findings;
    }
}
