package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Each pass over the rows of a tenant should find them by an index. */
final class TenantIndexes implements SideCheck {
    // a partial or invalid index serves no scan of all rows of a tenant
    private static final String INDEXED = """
            SELECT n.nspname, c.relname, a.attname
              FROM pg_index i
              JOIN pg_class c ON c.oid = i.indrelid
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
             WHERE i.indisvalid AND i.indpred IS NULL AND n.nspname = ANY (?::text[])
            """;

    @Override
    public List<Finding> find(Side side) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        record Led(TableName table, String column) {}
        Set<Led> led = new HashSet<>(
                Jdbc.list(side.connection(), INDEXED, row -> new Led(table(row), row.getString(3)), (Object)
                        side.catalog().tables().stream()
                                .map(table -> table.name().schema())
                                .distinct()
                                .toArray(String[]::new)));
        for (TenantTable table : side.catalog().tables()) {
            if (!led.contains(new Led(table.name(), table.tenantColumn()))) {
                findings.add(new Finding(
                        Severity.WARNING,
                        "no-tenant-index",
                        side.shard(),
                        table.name(),
                        table.tenantColumn(),
                        "no index begins with the tenant column, so that each pass reads the rows of all tenants",
                        remedy(table)));
            }
        }
        return findings;
    }

    /** PostgreSQL makes no index of a partitioned table concurrently, but joins those of its partitions to one. */
    private static String remedy(TenantTable table) {
        String place = Identifiers.quote(table.name()) + " (" + Identifiers.quote(table.tenantColumn()) + ")";
        return table.partitioned()
                ? "CREATE INDEX ON " + place + "; that keeps writers out while it runs: where they cannot wait, CREATE"
                        + " INDEX ON ONLY the table, CREATE INDEX CONCURRENTLY on each partition and ALTER INDEX ..."
                        + " ATTACH PARTITION for each"
                : "CREATE INDEX CONCURRENTLY ON " + place;
    }

    private static TableName table(ResultSet row) throws SQLException {
        return new TableName(row.getString(1), row.getString(2));
    }
}
