package io.homeshard.migrate.catalog;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Types, functions, collations and extensions that tables use, however far away: found through the server's own record
 * of what depends on what, which leaves out what is built in.
 */
final class UsedObjectLines {
    /** Stands for the collation of the database among those that are objects of it. */
    static final String DATABASE_COLLATION = "default";

    /** Stands between what a collation is and its versions. */
    static final String MADE_BY = "made by";

    /**
     * From the tables, their defaults, constraints, indexes and triggers to whatever those depend on; from a composite
     * type to its columns, and from a domain to its checks. Functions named within the text of a function's body are
     * not recorded anywhere.
     */
    private static final String USED = """
            WITH RECURSIVE tab AS MATERIALIZED (
              SELECT c.oid, n.nspname AS s, c.relname AS t
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                JOIN unnest(?::text[], ?::text[]) w(s, t) ON w.s = n.nspname AND w.t = c.relname),
            found(cls, obj, tab, att) AS (
              SELECT o.cls, o.obj, o.tab, o.att::int FROM (
                SELECT 'pg_class'::regclass::oid AS cls, oid AS obj, oid AS tab, 0 AS att FROM tab
                UNION ALL
                SELECT 'pg_attrdef'::regclass, d.oid, d.adrelid, d.adnum FROM tab JOIN pg_attrdef d ON d.adrelid = tab.oid
                UNION ALL
                SELECT 'pg_constraint'::regclass, k.oid, k.conrelid, 0
                  FROM tab JOIN pg_constraint k ON k.conrelid = tab.oid
                UNION ALL
                SELECT 'pg_class'::regclass, i.indexrelid, i.indrelid, 0 FROM tab JOIN pg_index i ON i.indrelid = tab.oid
                UNION ALL
                SELECT 'pg_trigger'::regclass, g.oid, g.tgrelid, 0
                  FROM tab JOIN pg_trigger g ON g.tgrelid = tab.oid AND NOT g.tgisinternal AND g.tgparentid = 0
                  JOIN pg_proc f ON f.oid = g.tgfoid JOIN pg_namespace fn ON fn.oid = f.pronamespace
                 WHERE fn.nspname <> 'homeshard') o
              UNION
              SELECT n.cls, n.obj, f.tab, CASE WHEN f.obj = f.tab THEN n.att ELSE f.att END
                FROM found f CROSS JOIN LATERAL (
                  SELECT d.refclassid AS cls, d.refobjid AS obj, d.objsubid AS att FROM pg_depend d
                   WHERE d.classid = f.cls AND d.objid = f.obj AND d.deptype IN ('n', 'a', 'i')
                     AND d.refclassid IN ('pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass,
                                          'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_collation'::regclass)
                  UNION ALL
                  SELECT 'pg_class'::regclass, y.typrelid, 0 FROM pg_type y
                   WHERE f.cls = 'pg_type'::regclass AND y.oid = f.obj AND y.typrelid <> 0
                  UNION ALL
                  SELECT 'pg_constraint'::regclass, k.oid, 0 FROM pg_constraint k
                   WHERE f.cls = 'pg_type'::regclass AND k.contypid = f.obj) n),
            used AS MATERIALIZED (
              SELECT DISTINCT ON (f.cls, f.obj) f.cls, f.obj, tab.s, tab.t, a.attname AS col, x.refobjid AS ext
                FROM found f JOIN tab ON tab.oid = f.tab
                LEFT JOIN pg_attribute a ON a.attrelid = f.tab AND a.attnum = f.att AND f.att > 0
                LEFT JOIN pg_depend x ON x.classid = f.cls AND x.objid = f.obj AND x.deptype = 'e'
                      AND x.refclassid = 'pg_extension'::regclass
               WHERE f.cls NOT IN ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass,
                                   'pg_trigger'::regclass)
               ORDER BY f.cls, f.obj, tab.s COLLATE "C", tab.t COLLATE "C", a.attname COLLATE "C"),
            """;

    private static final String LINES = USED + """
            line AS (
            SELECT CASE y.typtype WHEN 'e' THEN 'ENUM' WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END AS kind,
                   format_type(y.oid, NULL) AS object, u.s, u.t, u.col,
                   CASE y.typtype
                     WHEN 'e' THEN (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
                                      FROM pg_enum e WHERE e.enumtypid = y.oid)
                     WHEN 'd' THEN concat_ws(' ', format_type(y.typbasetype, y.typtypmod),
                                     CASE WHEN y.typnotnull THEN 'NOT NULL' END, 'COLLATE ' || l.collname,
                                     (SELECT string_agg(k.conname || ' ' || pg_get_constraintdef(k.oid), ' '
                                                        ORDER BY k.conname COLLATE "C")
                                        FROM pg_constraint k WHERE k.contypid = y.oid AND k.contype = 'c'),
                                     'DEFAULT ' || y.typdefault)
                     WHEN 'c' THEN (SELECT string_agg(quote_ident(a.attname) || ' '
                                                      || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
                                      FROM pg_attribute a
                                     WHERE a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped)
                     WHEN 'r' THEN (SELECT 'range of ' || format_type(g.rngsubtype, NULL) FROM pg_range g
                                     WHERE g.rngtypid = y.oid)
                     ELSE 'base' END AS text
              FROM used u JOIN pg_type y ON u.cls = 'pg_type'::regclass AND y.oid = u.obj
              LEFT JOIN pg_collation l ON l.oid = y.typcollation AND y.typtype = 'd' AND l.collname <> 'default'
             WHERE u.ext IS NULL AND y.typtype <> 'm' AND NOT (y.typtype = 'b' AND y.typelem <> 0)
            UNION ALL
            SELECT 'FUNCTION', f.oid::regprocedure::text, u.s, u.t, u.col,
                   CASE f.prokind WHEN 'a' THEN 'aggregate'
                        ELSE encode(sha256(convert_to(pg_get_functiondef(f.oid), 'UTF8')), 'hex') END
              FROM used u JOIN pg_proc f ON u.cls = 'pg_proc'::regclass AND f.oid = u.obj
              JOIN pg_namespace n ON n.oid = f.pronamespace
             WHERE u.ext IS NULL AND n.nspname NOT IN ('homeshard', 'pg_catalog')
            UNION ALL
            SELECT 'FUNCTION', 'operator ' || o.oid::regoperator::text, u.s, u.t, u.col, o.oprcode::regprocedure::text
              FROM used u JOIN pg_operator o ON u.cls = 'pg_operator'::regclass AND o.oid = u.obj
             WHERE u.ext IS NULL
            UNION ALL
            SELECT w.kind, quote_ident(n.nspname) || '.' || quote_ident(l.collname), u.s, u.t, u.col,
                   CASE w.kind WHEN 'COLLATION'
                     THEN concat_ws(' ', 'provider', l.collprovider::text,
                                    CASE WHEN l.collisdeterministic THEN 'deterministic' ELSE 'not deterministic' END,
                                    l.collcollate, l.collctype, j ->> 'colllocale', j ->> 'colliculocale',
                                    j ->> 'collicurules')
                     ELSE concat_ws(' ', 'made by', l.collversion, 'now', pg_collation_actual_version(l.oid)) END
              FROM used u JOIN pg_collation l ON u.cls = 'pg_collation'::regclass AND l.oid = u.obj
              JOIN pg_namespace n ON n.oid = l.collnamespace
              CROSS JOIN LATERAL to_jsonb(l) j
              CROSS JOIN (VALUES ('COLLATION'), ('COLLATION_VERSION')) w(kind)
            UNION ALL
            SELECT 'COLLATION_VERSION', 'default', NULL, NULL, NULL,
                   concat_ws(' ', 'provider', d.datlocprovider::text, d.datcollate, d.datctype, j ->> 'datlocale',
                             j ->> 'daticulocale', j ->> 'daticurules', 'made by', d.datcollversion, 'now',
                             pg_database_collation_actual_version(d.oid))
              FROM pg_database d CROSS JOIN LATERAL to_jsonb(d) j WHERE d.datname = current_database()
            UNION ALL
            SELECT w.kind, x.extname, x.s, x.t, x.col,
                   CASE w.kind WHEN 'EXTENSION' THEN 'in schema ' || quote_ident(n.nspname) ELSE x.extversion END
              FROM (SELECT DISTINCT ON (e.oid) e.extname, e.extversion, e.extnamespace, u.s, u.t, u.col
                      FROM used u JOIN pg_extension e ON e.oid = u.ext
                     ORDER BY e.oid, u.s COLLATE "C", u.t COLLATE "C", u.col COLLATE "C") x
              JOIN pg_namespace n ON n.oid = x.extnamespace
              CROSS JOIN (VALUES ('EXTENSION'), ('EXTENSION_VERSION')) w(kind))
            SELECT kind, object, s, t, col, coalesce(text, '') AS text FROM line
            """;

    private UsedObjectLines() {}

    static List<SchemaLine> read(Connection connection, String[] schemas, String[] names) throws SQLException {
        return new ArrayList<>(Jdbc.list(connection, LINES, SchemaReading::line, schemas, names));
    }
}
