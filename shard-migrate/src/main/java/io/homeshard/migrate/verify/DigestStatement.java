package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The query that makes a digest. A row's hash is taken over the text of a ROW of its columns in the order of their
 * names: NULL and the empty text differ there, computed columns are in it, and the physical order of columns is not.
 * Hashes are added up, so that the order of rows does not matter and a row that is there twice does.
 */
final class DigestStatement {
    private static final String DIGEST = """
            SELECT count(*), coalesce(sum(high), 0), coalesce(sum(low), 0)%s
              FROM (SELECT ('x' || substr(h, 1, 16))::bit(64)::bigint AS high,
                           ('x' || substr(h, 17, 16))::bit(64)::bigint AS low%s
                      FROM (SELECT encode(sha256(convert_to(ROW(%s)::text, 'UTF8')), 'hex') AS h%s
                              FROM %s x
                             WHERE %s
                            OFFSET 0) hashed) cut
            """;

    private static final Pattern SUMMABLE = Pattern.compile("smallint|integer|bigint|numeric(\\(.*\\))?");

    private DigestStatement() {}

    static List<String> summed(TenantTable table) {
        return table.columns().stream()
                .filter(column -> SUMMABLE.matcher(column.type()).matches())
                .map(TableColumn::name)
                .filter(name -> !name.equals(table.tenantColumn()))
                .sorted()
                .toList();
    }

    static String of(TenantTable table, TenantPredicate predicate) {
        List<String> summed = summed(table);
        StringBuilder outer = new StringBuilder();
        StringBuilder middle = new StringBuilder();
        StringBuilder inner = new StringBuilder();
        for (int i = 0; i < summed.size(); i++) {
            // a NaN or an infinity would make the whole sum one
            outer.append(", sum(c")
                    .append(i)
                    .append(") FILTER (WHERE c")
                    .append(i)
                    .append("::text !~ '[NI]')");
            middle.append(", c").append(i);
            inner.append(", ")
                    .append(Identifiers.quote(summed.get(i)))
                    .append(" AS c")
                    .append(i);
        }
        String row = table.columns().stream()
                .map(TableColumn::name)
                .sorted(Comparator.naturalOrder())
                .map(Identifiers::quote)
                .collect(Collectors.joining(", "));
        return DIGEST.formatted(outer, middle, row, inner, table.from(), predicate.sql());
    }
}
