package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The queries that make a digest. A row's hash is taken over the text of a ROW of its columns in the order of their
 * names: NULL and the empty text differ there, computed columns are in it, and the physical order of columns is not.
 * Hashes are added up, so that the order of rows does not matter and a row that is there twice does.
 *
 * @param table the table
 * @param columns those that are read
 * @param key what tells rows apart
 * @param predicate whose rows they are
 */
record DigestStatement(TenantTable table, List<TableColumn> columns, RowKey key, TenantPredicate predicate) {
    private static final String DIGEST = """
            SELECT b, count(*), sum(high), sum(low)%s
              FROM (SELECT %s AS b,
                           ('x' || substr(h, 1, 16))::bit(64)::bigint AS high,
                           ('x' || substr(h, 17, 16))::bit(64)::bigint AS low%s
                      FROM (%s) hashed) cut
             GROUP BY b ORDER BY b
            """;
    private static final String HASHED = """
            SELECT encode(sha256(convert_to(ROW(%s)::text, 'UTF8')), 'hex') AS h, %s AS k%s
              FROM %s x
             WHERE %s
            OFFSET 0""";
    private static final String PLACES = """
            SELECT p AS b, count(*), sum(high), sum(low)
              FROM (SELECT %s AS p,
                           ('x' || substr(h, 1, 16))::bit(64)::bigint AS high,
                           ('x' || substr(h, 17, 16))::bit(64)::bigint AS low
                      FROM (%s) hashed) cut
             WHERE p >> 8 = ANY (?)
             GROUP BY p ORDER BY p
            """;
    private static final String ROWS = """
            SELECT %s AS p, h, at%s FROM (%s) hashed WHERE %s = ANY (?) ORDER BY h
            """;

    // a value as long as these could make the text of a row longer than the server can hold: bytes double in it
    private static final String LONG_BYTES = "CASE WHEN octet_length(%1$s) > 8192 THEN sha256(%1$s) ELSE %1$s END";
    private static final String LONG_TEXT =
            "CASE WHEN octet_length(%1$s) > 8192 THEN encode(sha256(convert_to(%1$s, 'UTF8')), 'hex') ELSE %1$s END";

    private static final Pattern SUMMABLE = Pattern.compile("smallint|integer|bigint|numeric(\\(.*\\))?");
    private static final Pattern TEXT = Pattern.compile("text|character varying(\\(.*\\))?");

    DigestStatement {
        columns =
                columns.stream().sorted(Comparator.comparing(TableColumn::name)).toList();
    }

    /** Columns with a sum, in the order of their sums in the result. */
    List<String> summed() {
        return columns.stream()
                .filter(column -> SUMMABLE.matcher(column.type()).matches())
                .map(TableColumn::name)
                .filter(name -> !name.equals(table.tenantColumn()))
                .toList();
    }

    /** A row for each bucket that has rows: number, count, both sums of hashes, sums of columns. */
    String buckets() {
        List<String> summed = summed();
        StringBuilder outer = new StringBuilder();
        StringBuilder middle = new StringBuilder();
        StringBuilder inner = new StringBuilder();
        for (int i = 0; i < summed.size(); i++) {
            // a NaN or an infinity would make the whole sum one
            outer.append(", sum(c%1$d) FILTER (WHERE c%1$d::text !~ '[NI]')".formatted(i));
            middle.append(", c").append(i);
            inner.append(", x.%s AS c%d".formatted(Identifiers.quote(summed.get(i)), i));
        }
        return DIGEST.formatted(outer, key.bucket(), middle, hashed(inner.toString()));
    }

    /** The same for the places in some buckets, which are bound as an array. */
    String places() {
        return PLACES.formatted(key.place(), hashed(""));
    }

    /** The rows of some places, which are bound as an array: place, hash, ctid, columns of the key as text. */
    String rows() {
        StringBuilder outer = new StringBuilder();
        StringBuilder inner = new StringBuilder(", x.ctid::text AS at");
        for (int i = 0; i < key.columns().size(); i++) {
            outer.append(", k").append(i);
            inner.append(", x.%s::text AS k%d"
                    .formatted(Identifiers.quote(key.columns().get(i)), i));
        }
        return ROWS.formatted(key.place(), outer, hashed(inner.toString()), key.place());
    }

    private String hashed(String more) {
        String row = columns.stream().map(DigestStatement::expression).collect(Collectors.joining(", "));
        return HASHED.formatted(row, key.digits(), more, table.from(), predicate.sql());
    }

    private static String expression(TableColumn column) {
        String name = "x." + Identifiers.quote(column.name());
        if (column.type().equals("bytea")) {
            return LONG_BYTES.formatted(name);
        }
        return TEXT.matcher(column.type()).matches() ? LONG_TEXT.formatted(name) : name;
    }
}
