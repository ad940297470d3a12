package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the sequences that rows of tenant tables may take values from. */
final class CatalogSequences {
    // owned: serial (a) and identity (i); the second half are defaults that name a sequence, owned or not
    private static final String SEQUENCES = """
            WITH RECURSIVE base(oid, root) AS (
              SELECT t.oid, t.oid FROM pg_type t WHERE t.typtype <> 'd'
              UNION ALL
              SELECT t.oid, b.root FROM pg_type t JOIN base b ON t.typbasetype = b.oid WHERE t.typtype = 'd'),
            used(seq, tab, num) AS (
              SELECT d.objid, d.refobjid, d.refobjsubid FROM pg_depend d
               WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
                 AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
              UNION
              SELECT d.refobjid, f.adrelid, f.adnum FROM pg_depend d JOIN pg_attrdef f ON f.oid = d.objid
               WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass)
            SELECT DISTINCT sn.nspname AS seq_schema, s.relname AS seq, q.seqincrement, q.seqcache,
                   CASE WHEN has_sequence_privilege(s.oid, 'USAGE, SELECT')
                        THEN pg_sequence_last_value(s.oid) END AS last_value,
                   tn.nspname AS tab_schema, t.relname AS tab, a.attname,
                   b.root IN (20, 21, 23) AND coalesce(
                     pg_get_expr(f.adbin, f.adrelid)
                       ~ '^\\(*nextval\\(''([^'']|'''')+''::regclass\\)\\)*(::(smallint|integer|bigint))?$',
                     true) AS plain
              FROM pg_sequence q
              JOIN pg_class s ON s.oid = q.seqrelid
              JOIN pg_namespace sn ON sn.oid = s.relnamespace
              LEFT JOIN used u ON u.seq = s.oid
              LEFT JOIN pg_class t ON t.oid = coalesce(pg_partition_root(u.tab), u.tab)
              LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace
              LEFT JOIN pg_attribute a ON a.attrelid = u.tab AND a.attnum = u.num
              LEFT JOIN pg_attrdef f ON f.adrelid = u.tab AND f.adnum = u.num
              LEFT JOIN base b ON b.oid = a.atttypid
             ORDER BY sn.nspname, s.relname, tn.nspname, t.relname, a.attname
            """;

    private CatalogSequences() {}

    private record Row(TableSequence sequence, @Nullable SequenceColumn column) {}

    static List<TableSequence> read(Connection connection, TenantSchema schema, List<TenantTable> tables)
            throws SQLException {
        Set<TableName> ours = new HashSet<>();
        tables.forEach(table -> ours.add(table.name()));
        Map<TableName, List<Row>> bySequence = new TreeMap<>();
        for (Row row : Jdbc.list(connection, SEQUENCES, CatalogSequences::row)) {
            bySequence
                    .computeIfAbsent(row.sequence().name(), name -> new ArrayList<>())
                    .add(row);
        }
        List<TableSequence> result = new ArrayList<>();
        for (List<Row> rows : bySequence.values()) {
            List<SequenceColumn> columns = new ArrayList<>();
            boolean free = false;
            for (Row row : rows) {
                SequenceColumn column = row.column();
                if (column == null) {
                    free = schema.schemas().contains(row.sequence().name().schema());
                } else if (ours.contains(column.table())) {
                    columns.add(column);
                }
            }
            if (free || !columns.isEmpty()) {
                TableSequence bare = rows.get(0).sequence();
                result.add(new TableSequence(bare.name(), columns, bare.increment(), bare.cache(), bare.lastValue()));
            }
        }
        return result;
    }

    private static Row row(ResultSet row) throws SQLException {
        long last = row.getLong("last_value");
        OptionalLong lastValue = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(last);
        TableName name = new TableName(row.getString("seq_schema"), row.getString("seq"));
        String table = row.getString("tab");
        SequenceColumn column = table == null
                ? null
                : new SequenceColumn(
                        new TableName(row.getString("tab_schema"), table),
                        row.getString("attname"),
                        row.getBoolean("plain"));
        return new Row(
                new TableSequence(name, List.of(), row.getLong("seqincrement"), row.getLong("seqcache"), lastValue),
                column);
    }
}
