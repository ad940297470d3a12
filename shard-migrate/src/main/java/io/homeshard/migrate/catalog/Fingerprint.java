package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantSchema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes one value of which tables are the tenants', by which column, and what they and reference tables are made of. Left out are the order of columns, the partitions
 * below a root (jobs make them at different times), triggers (the guard has its own check) and NOT NULL constraints,
 * which newer servers list and older ones do not; the column says so anyway.
 */
final class Fingerprint {
    private static final String LINES = """
            WITH tab AS (
              SELECT c.oid, n.nspname AS s, c.relname AS t, c.relkind, c.relpersistence
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN unnest(?::text[], ?::text[]) w(s, t) ON w.s = n.nspname AND w.t = c.relname)
            SELECT jsonb_build_array('table', s, t, relkind, relpersistence, pg_get_partkeydef(oid))::text FROM tab
            UNION ALL
            SELECT jsonb_build_array('column', s, t, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                                     a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid), l.collname)::text
              FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attnum > 0 AND NOT a.attisdropped
              LEFT JOIN pg_attrdef d ON d.adrelid = tab.oid AND d.adnum = a.attnum
              LEFT JOIN pg_collation l ON l.oid = a.attcollation
            UNION ALL
            SELECT jsonb_build_array('constraint', s, t, k.conname, pg_get_constraintdef(k.oid))::text
              FROM tab JOIN pg_constraint k ON k.conrelid = tab.oid AND k.conparentid = 0 AND k.contype <> 'n'
             WHERE k.contype <> 't'
            UNION ALL
            SELECT jsonb_build_array('index', s, t, pg_get_indexdef(i.indexrelid), i.indisvalid)::text
              FROM tab JOIN pg_index i ON i.indrelid = tab.oid
            UNION ALL
            SELECT DISTINCT jsonb_build_array('enum', format_type(a.atttypid, NULL),
                     (SELECT jsonb_agg(e.enumlabel ORDER BY e.enumsortorder)
                        FROM pg_enum e WHERE e.enumtypid = a.atttypid))::text
              FROM tab JOIN pg_attribute a ON a.attrelid = tab.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN pg_type y ON y.oid = a.atttypid AND y.typtype = 'e'
            """;

    private Fingerprint() {}

    static String read(Connection connection, TenantSchema schema, List<TenantTable> tables) throws SQLException {
        Set<TableName> names = new TreeSet<>(schema.referenceTables());
        tables.forEach(table -> names.add(table.name()));
        String[] schemas = names.stream().map(TableName::schema).toArray(String[]::new);
        String[] plain = names.stream().map(TableName::name).toArray(String[]::new);
        List<String> lines = Jdbc.list(connection, LINES, row -> row.getString(1), schemas, plain);
        List<String> all = new ArrayList<>(lines);
        tables.forEach(table -> all.add("tenant " + table.name() + " " + table.tenantColumn()));
        return hash(all.stream().sorted().toList());
    }

    private static String hash(List<String> lines) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String line : lines) {
                digest.update(line.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) '\n');
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
