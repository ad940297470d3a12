package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
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
        return like(shard, catalog, tenant, List.of());
    }

    /**
     * Reads again what was read before: of a table that has an earlier digest only the columns of that, so that a
     * column that was added since makes no difference.
     *
     * @param shard the shard, in autocommit; left so
     * @param catalog the tables as they are now
     * @param tenant the tenant
     * @param earlier the earlier digests
     * @return a digest for each table, in the catalog's order; columns that are gone are missing in it
     * @throws SQLException as the driver says
     */
    public static List<TableDigest> like(
            Connection shard, TenantCatalog catalog, TenantId tenant, List<TableDigest> earlier) throws SQLException {
        Map<TableName, TableDigest> byName = new HashMap<>();
        earlier.forEach(digest -> byName.put(digest.table(), digest));
        return PinnedTransaction.read(shard, connection -> {
            List<TableDigest> digests = new ArrayList<>();
            for (TenantTable table : catalog.tables()) {
                TableDigest before = byName.get(table.name());
                List<TableColumn> columns = before == null
                        ? table.columns()
                        : table.columns().stream()
                                .filter(column -> before.columns().containsKey(column.name()))
                                .toList();
                digests.add(table(connection, statement(connection, table, columns), tenant.value()));
            }
            return List.copyOf(digests);
        });
    }

    static DigestStatement statement(Connection connection, TenantTable table, List<TableColumn> columns)
            throws SQLException {
        return new DigestStatement(
                table,
                columns,
                RowKey.read(connection, table),
                TenantPredicate.read(connection, table.name(), table.tenantColumn()));
    }

    static BucketDigest bucket(ResultSet row) throws SQLException {
        return new BucketDigest(row.getInt(1), row.getLong(2), row.getBigDecimal(3), row.getBigDecimal(4));
    }

    private static TableDigest table(Connection connection, DigestStatement statement, String tenant)
            throws SQLException {
        List<String> summed = statement.summed();
        Map<String, BigDecimal> sums = new HashMap<>();
        List<BucketDigest> buckets = Jdbc.list(
                connection,
                statement.buckets(),
                row -> {
                    for (int i = 0; i < summed.size(); i++) {
                        BigDecimal sum = row.getBigDecimal(5 + i);
                        if (sum != null) {
                            sums.merge(summed.get(i), sum, BigDecimal::add);
                        }
                    }
                    return bucket(row);
                },
                Collections.nCopies(statement.predicate().parameters(), tenant).toArray());
        Map<String, String> columns = new HashMap<>();
        statement.columns().forEach(column -> columns.put(column.name(), column.type()));
        return new TableDigest(statement.table().name(), columns, buckets, sums);
    }
}
