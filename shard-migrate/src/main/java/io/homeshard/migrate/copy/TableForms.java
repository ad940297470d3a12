package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.copy.TableForm.SentColumn;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Decides how each table is sent. Binary is quicker and exact by its nature, but it has no promise behind it between
 * major versions, and some types write object ids, which mean something in one database only: arrays write that of
 * their element type, composite types those of their fields, the reg* types are nothing else. So a table goes in binary
 * when both servers are of one major version and each type in it is one of PostgreSQL's own, an array or range of such,
 * or a domain over such, whose values are sent as those of its base type. An array of a domain is not among them: it
 * names the domain. Text does for all others, whoever made the type.
 *
 * <p>Encodings are no matter: both forms travel in the client's encoding. Neither are {@code integer_datetimes}, which
 * no supported version can be built without.
 */
final class TableForms {
    // 16384: what is below was there when the database was made. The reg* types share the input function's prefix and
    // have no other mark; xml writes or drops its declaration on output, so that its own characters are sent instead
    private static final String COLUMNS = """
            WITH RECURSIVE base(oid, root) AS (
              SELECT t.oid, t.oid FROM pg_type t WHERE t.typtype <> 'd'
              UNION ALL
              SELECT t.oid, b.root FROM pg_type t JOIN base b ON t.typbasetype = b.oid WHERE t.typtype = 'd')
            SELECT n.nspname, c.relname, a.attname,
                   r.oid < 16384 AND r.typtype IN ('b', 'r', 'm') AND r.typsend <> 0 AND r.typreceive <> 0
                     AND coalesce(e.oid, r.oid) < 16384 AND coalesce(e.typtype, 'b') IN ('b', 'r', 'm')
                     AND coalesce(e.typsend, r.typsend) <> 0
                     AND coalesce(e.typname, r.typname) NOT LIKE 'reg%' AS portable,
                   CASE WHEN r.oid = 'xml'::regtype THEN '::pg_catalog.text'
                        WHEN e.oid = 'xml'::regtype THEN '::pg_catalog.text[]' ELSE '' END AS cast_to
              FROM unnest(?::text[]) wanted (name)
              JOIN pg_class c ON c.oid = wanted.name::regclass
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN base b ON b.oid = a.atttypid
              JOIN pg_type r ON r.oid = b.root
              LEFT JOIN pg_type e ON e.oid = r.typelem AND r.typsubscript = 'array_subscript_handler'::regproc
            """;

    private static final String MAJOR = "SELECT current_setting('server_version_num')::int / 10000";

    private TableForms() {}

    private record ColumnType(TableName table, String column, boolean portable, String cast) {}

    /** The forms of tables, by name, as the types on the source are; those on the target have the same names. */
    static Map<TableName, TableForm> choose(Connection source, Connection target, List<TenantTable> tables)
            throws SQLException {
        boolean oneMajor = major(source) == major(target);
        Map<TableName, Map<String, ColumnType>> types = new HashMap<>();
        String[] names =
                tables.stream().map(table -> Identifiers.quote(table.name())).toArray(String[]::new);
        Function<TableName, Map<String, ColumnType>> none = name -> new HashMap<>();
        for (ColumnType type : Jdbc.list(
                source,
                COLUMNS,
                row -> new ColumnType(
                        new TableName(row.getString("nspname"), row.getString("relname")),
                        row.getString("attname"),
                        row.getBoolean("portable"),
                        row.getString("cast_to")),
                (Object) names)) {
            types.computeIfAbsent(type.table(), none).put(type.column(), type);
        }
        Map<TableName, TableForm> forms = new HashMap<>();
        for (TenantTable table : tables) {
            forms.put(table.name(), form(table, types.getOrDefault(table.name(), Map.of()), oneMajor));
        }
        return forms;
    }

    /** Computed columns are left out, since the target computes its own. */
    private static TableForm form(TenantTable table, Map<String, ColumnType> types, boolean oneMajor)
            throws SQLException {
        boolean binary = oneMajor;
        List<SentColumn> columns = new ArrayList<>();
        for (TableColumn column : table.columns()) {
            if (!column.generated()) {
                ColumnType type = types.get(column.name());
                if (type == null) {
                    throw new SQLException("table " + table.name() + " - has lost column " + column.name()
                            + " since its catalog was read; plan again");
                }
                binary &= type.portable() && type.cast().isEmpty();
                columns.add(new SentColumn(column.name(), type.cast()));
            }
        }
        return new TableForm(binary ? CopyFormat.BINARY : CopyFormat.TEXT, columns);
    }

    private static int major(Connection connection) throws SQLException {
        return Jdbc.one(connection, MAJOR, row -> row.getInt(1));
    }
}
