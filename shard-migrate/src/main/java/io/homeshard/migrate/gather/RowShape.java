package io.homeshard.migrate.gather;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements for one table. All values travel as text, under the settings of a pinned transaction.
 *
 * @param table the table
 * @param key columns of the primary key, empty when there is none
 * @param whole whether its rows refer to each other, so that they come and go in one statement
 * @param deferrable whether it has a unique key that can be deferred, at which ON CONFLICT may not look
 */
record RowShape(TenantTable table, List<TableColumn> key, boolean whole, boolean deferrable) {
    private static final String KEY = """
            SELECT a.attname FROM pg_catalog.pg_index i
              JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1])
             WHERE i.indisprimary AND i.indrelid = CAST(? AS pg_catalog.regclass)
             ORDER BY pg_catalog.array_position(i.indkey::smallint[], a.attnum)""";
    private static final String REFERS_TO_ITSELF = """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_constraint c WHERE c.contype = 'f'
                              AND c.conrelid = CAST(? AS pg_catalog.regclass) AND c.confrelid = c.conrelid)""";

    private static final String DEFERRABLE = """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_index i
                            WHERE i.indrelid = CAST(? AS pg_catalog.regclass) AND NOT i.indimmediate)""";

    static RowShape read(Connection shard, TenantTable table) throws SQLException {
        String name = Identifiers.quote(table.name());
        List<String> names = Jdbc.list(shard, KEY, row -> row.getString(1), name);
        List<TableColumn> key = new ArrayList<>();
        for (String column : names) {
            table.columns().stream().filter(c -> c.name().equals(column)).forEach(key::add);
        }
        boolean whole = Jdbc.one(shard, REFERS_TO_ITSELF, row -> row.getBoolean(1), name);
        boolean deferrable = Jdbc.one(shard, DEFERRABLE, row -> row.getBoolean(1), name);
        return new RowShape(table, List.copyOf(key), whole, deferrable);
    }

    /** Columns that are written: the computed ones compute themselves. */
    List<TableColumn> written() {
        return table.columns().stream().filter(column -> !column.generated()).toList();
    }

    /**
     * Of each row of the tenant: relation, place, hash, the key's columns, the written columns. Tenant bound as often as
     * asked. Where there is no key, rows of the same content come one after the other.
     */
    String rows() {
        return "SELECT x.tableoid, x.ctid::text, " + hash() + texts(key) + texts(written()) + " FROM " + table.from()
                + " x WHERE " + mine() + (key.isEmpty() ? " ORDER BY 3" : "");
    }

    /** Whether two rows, one read after the other, have to be looked at together: as often as they lie there they are meant. */
    boolean together(Stray one, Stray next) {
        return whole || (key.isEmpty() && one.hash().equals(next.hash()));
    }

    /** Keys (or hashes) of a page that are at home, with their hashes: the number in the page, hash. */
    String atHome() {
        if (key.isEmpty()) {
            return "SELECT u.n, u.h FROM (SELECT p.h, p.n, row_number() OVER (PARTITION BY p.h ORDER BY p.n) AS k"
                    + " FROM unnest(?::text[]) WITH ORDINALITY p(h, n)) u JOIN (SELECT " + hash()
                    + " AS h, count(*) AS c FROM "
                    + table.from() + " x WHERE " + mine() + " GROUP BY 1) home ON home.h = u.h WHERE u.k <= home.c";
        }
        String arrays =
                IntStream.range(0, key.size()).mapToObj(i -> "?::text[]").collect(Collectors.joining(", "));
        String names = IntStream.range(0, key.size()).mapToObj(i -> "k" + i).collect(Collectors.joining(", "));
        String joined = IntStream.range(0, key.size())
                .mapToObj(i -> "x." + Identifiers.quote(key.get(i).name()) + " = u.k" + i + "::"
                        + key.get(i).type())
                .collect(Collectors.joining(" AND "));
        return "SELECT u.n, " + hash() + " FROM unnest(" + arrays + ") WITH ORDINALITY u(" + names + ", n) JOIN "
                + table.from() + " x ON " + joined + " WHERE " + mine();
    }

    /** Writes rows of a page, an array for each written column; those that collide with what is there are left out, or fail. */
    String insert() {
        List<TableColumn> columns = written();
        String names = columns.stream().map(c -> Identifiers.quote(c.name())).collect(Collectors.joining(", "));
        String arrays = columns.stream().map(c -> "?::text[]").collect(Collectors.joining(", "));
        String aliases =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        String values = IntStream.range(0, columns.size())
                .mapToObj(i -> "u.c" + i + "::" + columns.get(i).type())
                .collect(Collectors.joining(", "));
        return "INSERT INTO " + Identifiers.quote(table.name()) + " (" + names + ") OVERRIDING SYSTEM VALUE SELECT "
                + values + " FROM unnest(" + arrays + ") u(" + aliases + ")"
                + (deferrable ? "" : " ON CONFLICT DO NOTHING");
    }

    /** Deletes the rows at these places; those with a reason are put aside in the same statement. Returns how many went. */
    String remove() {
        return "WITH doomed AS (SELECT d.rel::oid, d.at::tid, d.why FROM unnest(?::text[], ?::text[], ?::text[]) d(rel, at, why)),"
                + " gone AS (DELETE FROM " + table.from()
                + " x USING doomed d WHERE x.tableoid = d.rel AND x.ctid = d.at AND "
                + mine() + " RETURNING ROW(x.*)::text AS content, d.why AS why),"
                + " kept AS (INSERT INTO homeshard.put_aside (tenant_id, gathering, schema_name, table_name, content, reason)"
                + " SELECT ?, ?::uuid, ?, ?, g.content, g.why FROM gone g WHERE g.why <> '' RETURNING 1)"
                + " SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM kept)";
    }

    /** How often {@link #mine} binds the tenant. */
    static int bound() {
        return 3;
    }

    private String mine() {
        return "x." + table.tenant().matches("?::text"); // the condition begins with the column
    }

    private static String texts(List<TableColumn> columns) {
        return columns.stream()
                .map(column -> ", x." + Identifiers.quote(column.name()) + "::text")
                .collect(Collectors.joining());
    }

    private String hash() {
        String row = table.columns().stream()
                .sorted(Comparator.comparing(TableColumn::name))
                .map(column -> "x." + Identifiers.quote(column.name()))
                .collect(Collectors.joining(", "));
        return "encode(sha256(convert_to(ROW(" + row + ")::text, 'UTF8')), 'hex')";
    }
}
