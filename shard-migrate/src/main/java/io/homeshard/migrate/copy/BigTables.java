package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Divides big tables into ranges of blocks, which several streams read at the same time. That reads the whole table
 * once, so it pays only where a good part of the table is the tenant's; a tenant that is a small part of a big table is
 * found through the index of its column, in one stream, and other tables fill the other streams.
 */
final class BigTables {
    /** A range is worth a transaction of its own from this size on. */
    static final long RANGE_BYTES = 32L << 20;

    /** Several ranges for each stream, so that the last one does not run alone for long. */
    private static final int RANGES_PER_STREAM = 4;

    private static final double WORTH_A_SCAN = 0.25;
    private static final int SAMPLED_BLOCKS = 200;

    private static final String SIZES = """
            SELECT wanted.name, pg_relation_size(wanted.name::regclass) AS bytes,
                   current_setting('block_size')::bigint AS block
              FROM unnest(?::text[]) wanted (name)
            """;
    private static final String SHARE = """
            SELECT coalesce(avg(CASE WHEN %s THEN 1.0 ELSE 0.0 END), 0) FROM %s TABLESAMPLE SYSTEM (%s)
            """;
    private static final String HOLD = "LOCK TABLE %s IN ACCESS SHARE MODE";

    private final Connection source;
    private final int streams;
    private final long rangeBytes;

    private record Size(String quoted, long bytes, long block) {}

    /** The connection is in the snapshot, and knows the tenant. */
    BigTables(Connection source, int streams, long rangeBytes) {
        this.source = source;
        this.streams = streams;
        this.rangeBytes = rangeBytes;
    }

    /** The ranges of the tables that are worth dividing. Locks those, so that nothing moves their rows meanwhile. */
    Map<TableName, List<RowRange>> divide(List<TenantTable> tables) throws SQLException {
        if (streams == 1 || tables.isEmpty()) {
            return Map.of();
        }
        Map<String, Size> sizes = sizes(tables);
        Map<TableName, List<RowRange>> ranges = new HashMap<>();
        List<TenantTable> divided = new ArrayList<>();
        for (TenantTable table : tables) {
            Size size = sizes.get(Identifiers.quote(table.name()));
            int parts = size == null ? 1 : parts(table, size);
            if (size != null && parts > 1) {
                ranges.put(table.name(), RowRange.split(size.bytes() / size.block(), parts));
                divided.add(table);
            }
        }
        if (!divided.isEmpty()) {
            String names = divided.stream().map(TenantTable::from).collect(Collectors.joining(", "));
            Jdbc.run(source, HOLD.formatted(names));
        }
        return ranges;
    }

    private Map<String, Size> sizes(List<TenantTable> tables) throws SQLException {
        String[] names =
                tables.stream().map(table -> Identifiers.quote(table.name())).toArray(String[]::new);
        Map<String, Size> sizes = new HashMap<>();
        for (Size size : Jdbc.list(
                source, SIZES, row -> new Size(row.getString(1), row.getLong(2), row.getLong(3)), (Object) names)) {
            sizes.put(size.quoted(), size);
        }
        return sizes;
    }

    private int parts(TenantTable table, Size size) throws SQLException {
        if (size.bytes() < 2 * rangeBytes) {
            return 1;
        }
        double percent = Math.min(100, 100.0 * SAMPLED_BLOCKS * size.block() / size.bytes());
        String sql = SHARE.formatted(CopyStatements.condition(table), table.from(), percent);
        double share = Jdbc.one(source, sql, row -> row.getDouble(1));
        if (share < WORTH_A_SCAN) {
            return 1;
        }
        return (int) Math.min((long) RANGES_PER_STREAM * streams, (long) (size.bytes() * share) / rangeBytes);
    }
}
