package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes digests of all rows of a tenant. */
public final class TenantDigest {
    private TenantDigest() {}

    /**
     * Reads every row and every column of the tenant, in one snapshot.
     *
     * @param shard the shard, in autocommit; left so
     * @param catalog the tables; the same for both shards that are compared
     * @param tenant the tenant
     * @return a digest for each table, in the catalog's order
     * @throws SQLException as the driver says
     */
    public static List<TableDigest> read(Connection shard, TenantCatalog catalog, TenantId tenant) throws SQLException {
        return PinnedTransaction.read(shard, connection -> {
            List<TableDigest> digests = new ArrayList<>();
            for (TenantTable table : catalog.tables()) {
                digests.add(table(connection, table, tenant.value()));
            }
            return List.copyOf(digests);
        });
    }

    private static TableDigest table(Connection connection, TenantTable table, String tenant) throws SQLException {
        List<String> summed = DigestStatement.summed(table);
        TenantPredicate predicate = TenantPredicate.read(connection, table);
        return Jdbc.one(
                connection,
                DigestStatement.of(table, predicate),
                row -> {
                    Map<String, BigDecimal> sums = new HashMap<>();
                    for (int i = 0; i < summed.size(); i++) {
                        BigDecimal sum = row.getBigDecimal(4 + i);
                        if (sum != null) {
                            sums.put(summed.get(i), sum);
                        }
                    }
                    return new TableDigest(
                            table.name(), row.getLong(1), row.getBigDecimal(2), row.getBigDecimal(3), sums);
                },
                Collections.nCopies(predicate.parameters(), tenant).toArray());
    }
}
