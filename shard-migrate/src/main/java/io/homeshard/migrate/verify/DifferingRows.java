package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Names the rows behind a mismatch. Narrows it down in two passes over the tenant's rows of one table on each side: to
 * places, of which each bucket has 256, and then to rows; so that memory holds a small part of a large table.
 *
 * @param source the source, in autocommit; left so
 * @param target the target, in autocommit; left so
 * @param tenant the tenant
 */
public record DifferingRows(Connection source, Connection target, TenantId tenant) {
    /** Places looked into at most; each holds one row in some sixteen thousand. */
    private static final int PLACES = 64;

    private record Row(String hash, String ctid, Map<String, @Nullable String> key) {}

    /**
     * Finds differing rows of one table.
     *
     * @param table the table, the same on both
     * @param buckets where the digests differ
     * @param limit most rows to name
     * @return the rows; where there is no primary key a changed row is one on the source only and another on the target
     *     only
     * @throws SQLException as the driver says
     */
    public List<RowDifference> of(TenantTable table, List<Integer> buckets, int limit) throws SQLException {
        TableDigest here = digest(source, table, buckets);
        TableDigest there = digest(target, table, buckets);
        List<Integer> places = here.differingBuckets(there);
        List<Integer> some = places.subList(0, Math.min(PLACES, places.size()));
        List<RowDifference> found = differences(table, rows(source, table, some), rows(target, table, some));
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    private TableDigest digest(Connection shard, TenantTable table, List<Integer> buckets) throws SQLException {
        return PinnedTransaction.read(shard, connection -> {
            DigestStatement statement = TenantDigest.statement(connection, table, table.columns());
            List<BucketDigest> places = Jdbc.list(
                    connection,
                    statement.places(),
                    TenantDigest::bucket,
                    parameters(connection, statement.predicate().parameters(), buckets));
            return new TableDigest(table.name(), Map.of(), places, Map.of());
        });
    }

    private List<Row> rows(Connection shard, TenantTable table, List<Integer> places) throws SQLException {
        return PinnedTransaction.read(shard, connection -> {
            DigestStatement statement = TenantDigest.statement(connection, table, table.columns());
            List<String> columns = statement.key().columns();
            return Jdbc.list(
                    connection,
                    statement.rows(),
                    row -> {
                        Map<String, @Nullable String> key = new LinkedHashMap<>();
                        for (int i = 0; i < columns.size(); i++) {
                            key.put(columns.get(i), row.getString(4 + i));
                        }
                        return new Row(row.getString(2), row.getString(3), key);
                    },
                    parameters(connection, statement.predicate().parameters(), places));
        });
    }

    private Object[] parameters(Connection connection, int tenants, List<Integer> numbers) throws SQLException {
        Array array = connection.createArrayOf("int4", numbers.toArray());
        List<Object> all = new ArrayList<>(Collections.nCopies(tenants, tenant.value()));
        all.add(array);
        return all.toArray();
    }

    /** What both have in common goes; what is left of a key on both sides is one row with other values. */
    private static List<RowDifference> differences(TenantTable table, List<Row> here, List<Row> there) {
        Map<String, List<Row>> left = byHash(here);
        Map<String, List<Row>> right = byHash(there);
        TreeSet<String> hashes = new TreeSet<>(left.keySet());
        hashes.retainAll(right.keySet());
        for (String hash : hashes) {
            List<Row> one = left.getOrDefault(hash, List.of());
            List<Row> two = right.getOrDefault(hash, List.of());
            int same = Math.min(one.size(), two.size());
            left.put(hash, one.subList(same, one.size()));
            right.put(hash, two.subList(same, two.size()));
        }
        Map<Map<String, @Nullable String>, Row> unmatched = new HashMap<>();
        List<RowDifference> found = new ArrayList<>();
        right.values()
                .forEach(rows -> rows.forEach(row -> {
                    if (row.key().isEmpty() || unmatched.putIfAbsent(row.key(), row) != null) {
                        found.add(new RowDifference(table.name(), row.key(), null, row.ctid()));
                    }
                }));
        left.values()
                .forEach(rows -> rows.forEach(row -> {
                    Row other = unmatched.remove(row.key());
                    found.add(new RowDifference(
                            table.name(), row.key(), row.ctid(), other == null ? null : other.ctid()));
                }));
        unmatched.values().forEach(row -> found.add(new RowDifference(table.name(), row.key(), null, row.ctid())));
        return found;
    }

    private static Map<String, List<Row>> byHash(List<Row> rows) {
        Map<String, List<Row>> map = new LinkedHashMap<>();
        rows.forEach(row ->
                map.computeIfAbsent(row.hash(), hash -> new ArrayList<>()).add(row));
        return map;
    }
}
