package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What tells one row of a table from another, and so in which bucket it is looked for: the primary key, or where there
 * is none the hash of the whole row.
 *
 * @param columns of the primary key, in its order; empty when there is none
 */
record RowKey(List<String> columns) {
    /** A bucket is one byte's worth of a key's hash, less two bits; a place in it is told by eight bits more. */
    static final int BUCKETS = 64;

    private static final int PLACES = BUCKETS << 8;
    private static final String PRIMARY = """
            SELECT a.attname FROM pg_index i, unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY k(num, at)
              JOIN pg_attribute a ON a.attnum = k.num
             WHERE i.indrelid = CAST(? AS regclass) AND i.indisprimary AND a.attrelid = i.indrelid
             ORDER BY k.at
            """;

    static RowKey read(Connection shard, TenantTable table) throws SQLException {
        return new RowKey(Jdbc.list(shard, PRIMARY, row -> row.getString(1), Identifiers.quote(table.name())));
    }

    /** The bucket, of a row {@code x} whose hash in hexadecimal is {@code h}. */
    String bucket() {
        return place() + " >> 8";
    }

    /** The place, from which the bucket follows. */
    String place() {
        String digits = columns.isEmpty() ? "substr(h, 1, 4)" : "k";
        return "(('x' || " + digits + ")::bit(16)::int & " + (PLACES - 1) + ")";
    }

    /** What the innermost query has to compute for that, as {@code k}. */
    String digits() {
        return columns.isEmpty()
                ? "NULL::text"
                : "encode(substr(sha256(convert_to(ROW(" + quoted() + ")::text, 'UTF8')), 1, 2), 'hex')";
    }

    private String quoted() {
        return columns.stream().map(column -> "x." + Identifiers.quote(column)).collect(Collectors.joining(", "));
    }
}
