package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.ForeignKey;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of a table that does not move which one foreign key of the tenant's rows points at: each once, by its key and
 * a hash of its columns, some thousands at a time.
 *
 * @param key the foreign key
 * @param child the tenant table with the key
 * @param columns the other table's columns, quoted, in one order on both shards
 */
record PointedRows(ForeignKey key, TenantTable child, String columns) {
    private static final int BATCH = 5_000;

    /**
     * What the target lacks.
     *
     * @param missing rows that are not there
     * @param other rows of other contents
     */
    record Difference(long missing, long other) {
        Difference plus(Difference more) {
            return new Difference(missing + more.missing, other + more.other);
        }
    }

    Difference compare(Scene scene) throws SQLException {
        Difference difference = new Difference(0, 0);
        try (PreparedStatement statement = scene.source().connection().prepareStatement(read())) {
            statement.setFetchSize(BATCH);
            Object[] parameters = TenantRows.parameters(scene.tenant());
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<String[]> batch = new ArrayList<>();
                while (rows.next()) {
                    String[] values = new String[width() + 1];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = rows.getString(i + 1);
                    }
                    batch.add(values);
                    if (batch.size() == BATCH) {
                        difference = difference.plus(lookUp(scene.target().connection(), batch));
                        batch.clear();
                    }
                }
                return batch.isEmpty()
                        ? difference
                        : difference.plus(lookUp(scene.target().connection(), batch));
            }
        }
    }

    private int width() {
        return key.parentColumns().size();
    }

    private String read() {
        String keys = key.parentColumns().stream()
                .map(column -> Identifiers.quote(column) + "::text")
                .collect(Collectors.joining(", "));
        String joined = IntStream.range(0, width())
                .mapToObj(i -> "hs_c." + Identifiers.quote(key.childColumns().get(i)) + " = "
                        + Identifiers.quote(key.parent()) + "."
                        + Identifiers.quote(key.parentColumns().get(i)))
                .collect(Collectors.joining(" AND "));
        return "SELECT " + keys + ", hashtextextended(ROW(" + columns + ")::text, 0)::text FROM "
                + Identifiers.quote(key.parent()) + " WHERE EXISTS (SELECT FROM " + child.from() + " hs_c WHERE hs_c."
                + TenantRows.condition(child) + " AND " + joined + ")";
    }

    private Difference lookUp(Connection target, List<String[]> batch) throws SQLException {
        Object[] arrays = new Object[width() + 1];
        for (int i = 0; i < arrays.length; i++) {
            int column = i;
            Array array = target.createArrayOf(
                    "text", batch.stream().map(values -> values[column]).toArray());
            arrays[i] = array;
        }
        String names =
                IntStream.range(0, width()).mapToObj(i -> "hs_k" + i + ", ").collect(Collectors.joining());
        String params = String.join(", ", java.util.Collections.nCopies(arrays.length, "?::text[]"));
        String sql = "SELECT count(*) FILTER (WHERE hs_p.hs_found IS NULL), count(*) FILTER (WHERE hs_p.hs_found <> "
                + "hs_u.hs_hash) FROM unnest(" + params + ") hs_u (" + names + "hs_hash) LEFT JOIN LATERAL (SELECT "
                + "hashtextextended(ROW(" + columns + ")::text, 0)::text AS hs_found FROM "
                + Identifiers.quote(key.parent()) + " WHERE " + matched(target) + ") hs_p ON true";
        return Jdbc.one(
                target,
                sql,
                row -> new Difference(row.getLong(1), row.getLong(2)),
                Arrays.copyOf(arrays, arrays.length));
    }

    /** Each value in its column's type, so that the index of the key serves. */
    private String matched(Connection target) throws SQLException {
        List<String> conditions = new ArrayList<>();
        for (int i = 0; i < width(); i++) {
            String type = Jdbc.one(
                    target,
                    "SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
                            + " WHERE a.attrelid = ?::regclass AND a.attname = ?",
                    row -> row.getString(1),
                    Identifiers.quote(key.parent()),
                    key.parentColumns().get(i));
            conditions.add(Identifiers.quote(key.parentColumns().get(i)) + " = hs_u.hs_k" + i + "::" + type);
        }
        return String.join(" AND ", conditions);
    }
}
