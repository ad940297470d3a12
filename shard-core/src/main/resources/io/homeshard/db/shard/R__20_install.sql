-- Which tables carry the guard, how it gets there, and whether it is still as it was.

-- The type below all domains.
CREATE OR REPLACE FUNCTION homeshard.base_type(p_type oid) RETURNS oid LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE t pg_type;
BEGIN
  SELECT * INTO t FROM pg_type WHERE oid = p_type;
  WHILE t.typtype = 'd' LOOP
    SELECT * INTO t FROM pg_type WHERE oid = t.typbasetype;
  END LOOP;
  RETURN t.oid;
END $f$;

-- Why a column cannot be a tenant column; null when it can.
CREATE OR REPLACE FUNCTION homeshard.column_problem(p_tab regclass, p_column name) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE a pg_attribute; kind "char"; base text;
BEGIN
  SELECT c.relkind INTO kind FROM pg_class c WHERE c.oid = p_tab;
  IF kind NOT IN ('r', 'p') THEN
    RETURN 'is a foreign table, which cannot be guarded';
  END IF;
  SELECT * INTO a FROM pg_attribute x WHERE x.attrelid = p_tab AND x.attname = p_column AND x.attnum > 0
     AND NOT x.attisdropped;
  IF a.attrelid IS NULL THEN
    RETURN format('has no column %I', p_column);
  END IF;
  SELECT t.typname INTO base FROM pg_type t WHERE t.oid = homeshard.base_type(a.atttypid) AND t.typtype = 'b';
  IF base IS NULL OR base NOT IN ('text', 'varchar', 'bpchar', 'uuid', 'int2', 'int4', 'int8', 'citext') THEN
    RETURN format('has tenant column %I of type %s, supported are text, varchar, char, citext, uuid, smallint, integer, '
                  'bigint and domains over them', p_column, format_type(a.atttypid, a.atttypmod));
  END IF;
  IF a.attgenerated <> '' THEN
    RETURN format('has a generated tenant column %I', p_column);
  END IF;
  IF NOT COALESCE((SELECT c.collisdeterministic FROM pg_collation c WHERE c.oid = a.attcollation), true) THEN
    RETURN format('has tenant column %I with a nondeterministic collation', p_column);
  END IF;
  -- citext compares by the database's collation whatever the column says: lower() must fold by the same one
  IF base = 'citext' AND a.attcollation <> 'pg_catalog."default"'::regcollation THEN
    RETURN format('has citext tenant column %I with a collation of its own', p_column);
  END IF;
  RETURN NULL;
END $f$;

-- The tenant as text: one form for each tenant, whatever the column's type, and its bytes, whatever its collation.
CREATE OR REPLACE FUNCTION homeshard.tenant_expr(p_tab regclass, p_column name, p_row text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE base text; problem text := homeshard.column_problem(p_tab, p_column);
BEGIN
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION 'homeshard: table % %', p_tab, problem USING ERRCODE = 'feature_not_supported';
  END IF;
  SELECT t.typname INTO base FROM pg_attribute a JOIN pg_type t ON t.oid = homeshard.base_type(a.atttypid)
   WHERE a.attrelid = p_tab AND a.attname = p_column;
  IF base = 'citext' THEN
    RETURN format('(pg_catalog.lower(%s.%I::pg_catalog.text) COLLATE pg_catalog."C")', p_row, p_column);
  END IF;
  RETURN format('(%s.%I::pg_catalog.text COLLATE pg_catalog."C")', p_row, p_column);
END $f$;

-- WHERE clause for the rows x of the tenant $1. The first half can use an index; the second keeps '007' from meaning 7.
-- The cast has no length on purpose: casting to varchar(3) cuts, and would find the rows of another tenant.
CREATE OR REPLACE FUNCTION homeshard.tenant_condition(p_tab regclass, p_column name) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE t pg_type; op text;
BEGIN
  SELECT y.* INTO t FROM pg_attribute a JOIN pg_type y ON y.oid = homeshard.base_type(a.atttypid)
   WHERE a.attrelid = p_tab AND a.attname = p_column;
  op := format('OPERATOR(%I.=)', CASE WHEN t.typname = 'citext' THEN
               (SELECT n.nspname FROM pg_namespace n WHERE n.oid = t.typnamespace) ELSE 'pg_catalog' END);
  RETURN format('x.%I %s $1::%s AND %s OPERATOR(pg_catalog.=) $1', p_column, op, format_type(t.oid, -1),
                homeshard.tenant_expr(p_tab, p_column, 'x'));
END $f$;

-- Whether the tenant's name can stand in the column at all ('acme' cannot in a uuid column).
CREATE OR REPLACE FUNCTION homeshard.tenant_fits(p_tab regclass, p_column name, p_tenant text) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
BEGIN
  EXECUTE (SELECT format('SELECT $1::%s', format_type(homeshard.base_type(a.atttypid), -1)) FROM pg_attribute a
            WHERE a.attrelid = p_tab AND a.attname = p_column) USING p_tenant;
  RETURN true;
EXCEPTION WHEN invalid_text_representation OR numeric_value_out_of_range THEN
  RETURN false;
END $f$;

-- Stores the application's declaration; arrays of equal length describe the tables that it names one by one, and those
-- that are written in bulk.
CREATE OR REPLACE FUNCTION homeshard.declare(p_tenant_column text, p_schemas text[], p_kinds text[],
  p_table_schemas text[], p_table_names text[], p_columns text[], p_bulk_schemas text[], p_bulk_names text[])
RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE same boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(4711, 2);
  SELECT EXISTS (SELECT FROM homeshard.declaration d
                  WHERE d.tenant_column = p_tenant_column AND d.schemas @> p_schemas AND d.schemas <@ p_schemas)
     AND NOT EXISTS (
       (SELECT kind, schema_name, table_name, tenant_column FROM homeshard.declared_table
        EXCEPT SELECT * FROM unnest(p_kinds, p_table_schemas, p_table_names, p_columns))
       UNION ALL
       (SELECT * FROM unnest(p_kinds, p_table_schemas, p_table_names, p_columns)
        EXCEPT SELECT kind, schema_name, table_name, tenant_column FROM homeshard.declared_table)
       UNION ALL
       (SELECT schema_name, table_name, NULL, NULL FROM homeshard.bulk_table
        EXCEPT SELECT b.s, b.n, NULL, NULL FROM unnest(p_bulk_schemas, p_bulk_names) b (s, n))
       UNION ALL
       (SELECT b.s, b.n, NULL, NULL FROM unnest(p_bulk_schemas, p_bulk_names) b (s, n)
        EXCEPT SELECT schema_name, table_name, NULL, NULL FROM homeshard.bulk_table)) INTO same;
  IF same THEN
    RETURN 'already done';
  END IF;
  PERFORM homeshard.durable();
  DELETE FROM homeshard.declared_table;
  DELETE FROM homeshard.declaration;
  INSERT INTO homeshard.declaration (tenant_column, schemas) VALUES (p_tenant_column, p_schemas);
  INSERT INTO homeshard.declared_table (kind, schema_name, table_name, tenant_column)
  SELECT * FROM unnest(p_kinds, p_table_schemas, p_table_names, p_columns);
  DELETE FROM homeshard.bulk_table;
  INSERT INTO homeshard.bulk_table (schema_name, table_name) SELECT * FROM unnest(p_bulk_schemas, p_bulk_names);
  RETURN 'done';
END $f$;

-- The declaration resolved: every relation that must carry the guard, and thereby everything that a move copies and
-- deletes. A relation is a root unless a listed one is above it. What is below an ignored or reference table is left
-- out like the table itself, also where it inherits from a tenant table as well; a partition goes with its root.
-- The shape of its guard: 'statement' for what is written in bulk, unless it is partitioned or the child of anything: a
-- MERGE that moves a row between partitions leaves transition tables empty, and a statement on a parent fires no statement
-- trigger of the child. Else row triggers, which PostgreSQL itself puts on
-- every present and later partition ('tree'), or which the relation has for itself ('row').
CREATE OR REPLACE FUNCTION homeshard.tenant_relations()
RETURNS TABLE (tab regclass, tenant_column name, root boolean, shape text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off SET jit = off AS $f$
  WITH RECURSIVE relations AS (
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.relispartition, t.kind, t.tenant_column,
           b.table_name IS NOT NULL AS bulk
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN homeshard.declared_table t ON t.schema_name = n.nspname AND t.table_name = c.relname
      LEFT JOIN homeshard.bulk_table b ON b.schema_name = n.nspname AND b.table_name = c.relname
     WHERE c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't'),
  left_out AS (
    SELECT r.oid FROM relations r WHERE r.kind IN ('reference', 'ignored')
    UNION SELECT i.inhrelid FROM left_out l JOIN pg_inherits i ON i.inhparent = l.oid),
  named AS (
    SELECT r.oid, r.tenant_column::name AS col, 0 AS depth, r.bulk FROM relations r WHERE r.kind = 'tenant'
    UNION ALL
    SELECT r.oid, d.tenant_column::name, 1, r.bulk FROM homeshard.declaration d JOIN relations r ON r.nspname = ANY (d.schemas)
     WHERE r.kind IS NULL AND r.oid NOT IN (SELECT oid FROM left_out)
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = r.oid AND a.attname = d.tenant_column
                      AND a.attnum > 0 AND NOT a.attisdropped)),
  tree AS (
    SELECT oid, col, depth, bulk, false AS below FROM named
    UNION
    SELECT r.oid, t.col, t.depth, t.bulk, true
      FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid JOIN relations r ON r.oid = i.inhrelid
     WHERE r.relispartition OR r.oid NOT IN (SELECT oid FROM left_out)),
  resolved AS (
    SELECT DISTINCT ON (t.oid) t.oid, t.col, NOT bool_or(t.below) OVER (PARTITION BY t.oid) AS root,
           bool_or(t.bulk) OVER (PARTITION BY t.oid) AS bulk
      FROM tree t ORDER BY t.oid, t.depth)
  SELECT t.oid::regclass, t.col, t.root,
         CASE WHEN t.bulk AND r.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = t.oid)
              THEN 'statement' WHEN r.relkind = 'p' OR (r.relispartition AND NOT t.root) THEN 'tree' ELSE 'row' END
    FROM resolved t JOIN relations r ON r.oid = t.oid ORDER BY t.oid
$f$;

-- How the guard looks on one relation now: triggers, whether they fire, and the functions behind them. Free of names of
-- tables, so that renaming one changes nothing.
CREATE OR REPLACE FUNCTION homeshard.guard_digest(p_tab regclass) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off SET jit = off AS $f$
  SELECT md5(COALESCE(string_agg(concat_ws('|', t.tgname, t.tgtype, t.tgenabled, t.tgqual IS NULL, t.tgnargs, t.tgattr,
                                           t.tgoldtable, t.tgnewtable, n.nspname, p.proname, p.prosecdef, p.provolatile,
                                           p.proisstrict, p.proconfig, p.prosrc), E'\n' ORDER BY t.tgname), ''))
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace n ON n.oid = p.pronamespace
   WHERE t.tgrelid = p_tab AND t.tgname ~ '^zz_homeshard_(guard|tree)_.$'
$f$;

-- Whether the table belongs to somebody who could not do what the guard's owner can.
CREATE OR REPLACE FUNCTION homeshard.foreign_owner(p_tab regclass) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT NOT pg_has_role(c.relowner, n.nspowner, 'member') FROM pg_class c, pg_namespace n
   WHERE c.oid = p_tab AND n.nspname = 'homeshard'
$f$;

-- The same text as tenant_expr, for functions on tables of somebody else, who may change a column's type or put them on
-- yet another table: they run as the guard's owner, and a cast could be a function of the table's owner. concat() asks the
-- type itself. Of null it makes '', which is refused too.
CREATE OR REPLACE FUNCTION homeshard.safe_tenant_expr(p_tab regclass, p_column name, p_row text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT format(CASE t.typname WHEN 'citext' THEN '(pg_catalog.lower(pg_catalog.concat(%s.%I)) COLLATE pg_catalog."C")'
                               WHEN 'bpchar' THEN '(pg_catalog.rtrim(pg_catalog.concat(%s.%I), '' '') COLLATE pg_catalog."C")'
                               ELSE '(pg_catalog.concat(%s.%I) COLLATE pg_catalog."C")' END, p_row, p_column)
    FROM pg_attribute a JOIN pg_type t ON t.oid = homeshard.base_type(a.atttypid)
   WHERE a.attrelid = p_tab AND a.attname = p_column
$f$;

-- Body of the trigger function for a column; its text decides whether an installed one is up to date. No WHEN clause:
-- PostgreSQL reads its text anew in each statement, which costs more than the test in the function. RETURN of an empty
-- variable is cheaper than of the expression NULL.
CREATE OR REPLACE FUNCTION homeshard.trigger_body(p_tab regclass, p_column name, p_shape text, p_event text)
RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE
  foreign_owner boolean := homeshard.foreign_owner(p_tab);
  n text := homeshard.tenant_expr(p_tab, p_column, 'NEW');
  o text := homeshard.tenant_expr(p_tab, p_column, 'OLD');
BEGIN
  IF p_shape = 'statement' THEN
    -- The first row's tenant needs a pass, all others need to be of that tenant. The column is not qualified: where it is
    -- gone, n.tenant_id would call a function tenant_id(n) that the writer has put on his search_path.
    n := replace(CASE WHEN foreign_owner THEN homeshard.safe_tenant_expr(p_tab, p_column, 'n')
                      ELSE homeshard.tenant_expr(p_tab, p_column, 'n') END, format('n.%I', p_column), quote_ident(p_column));
    o := n;
    RETURN format($b$
#variable_conflict use_column
DECLARE t pg_catalog.text; ok boolean; nothing pg_catalog.text;
BEGIN
  PERFORM FROM (%1$s) x WHERE (x.t OPERATOR(pg_catalog.=)
    (SELECT CASE WHEN homeshard.passes(f.t) THEN f.t END FROM (%2$s) f LIMIT 1)) IS NOT TRUE LIMIT 1;
  IF FOUND THEN
    FOR t IN SELECT DISTINCT x.t FROM (%1$s) x LOOP ok := homeshard.check_tenant(t, TG_OP); END LOOP;
  END IF;
  RETURN nothing;
END $b$, CASE p_event WHEN 'i' THEN format('SELECT %s AS t FROM hs_new n', n)
                      WHEN 'd' THEN format('SELECT %s AS t FROM hs_old o', o)
                      ELSE format('SELECT %s AS t FROM hs_new n UNION ALL SELECT %s FROM hs_old o', n, o) END,
         CASE p_event WHEN 'd' THEN format('SELECT %s AS t FROM hs_old o', o)
                      ELSE format('SELECT %s AS t FROM hs_new n', n) END);
  ELSIF p_shape = 'tree' OR foreign_owner THEN
    n := homeshard.safe_tenant_expr(p_tab, p_column, CASE WHEN p_event = 'd' THEN 'OLD' ELSE 'NEW' END);
    o := homeshard.safe_tenant_expr(p_tab, p_column, 'OLD');
    RETURN format($b$
DECLARE t pg_catalog.text; ok boolean; nothing pg_catalog.text;
BEGIN
  t := %1$s;
  IF %2$s THEN RETURN nothing; END IF;
  ok := homeshard.check_tenant(t, TG_OP);%3$s
  RETURN nothing;
END $b$, n, CASE WHEN p_event = 'u' THEN format('(%s OPERATOR(pg_catalog.=) t) AND homeshard.passes(t)', o)
                 ELSE 'homeshard.passes(t)' END,
         CASE WHEN p_event = 'u' THEN format(E'\n  IF (%1$s OPERATOR(pg_catalog.=) t) IS NOT TRUE THEN '
                                              'ok := homeshard.check_tenant(%1$s, TG_OP); END IF;', o) ELSE '' END);
  ELSIF p_event = 'u' THEN
    RETURN format($b$
DECLARE ok boolean; nothing pg_catalog.text;
BEGIN
  IF (%2$s OPERATOR(pg_catalog.=) %1$s) AND homeshard.passes(%1$s) THEN RETURN nothing; END IF;
  ok := homeshard.check_tenant(%1$s, TG_OP);
  IF (%2$s OPERATOR(pg_catalog.=) %1$s) IS NOT TRUE THEN ok := homeshard.check_tenant(%2$s, TG_OP); END IF;
  RETURN nothing;
END $b$, n, o);
  ELSE
    RETURN format($b$
DECLARE ok boolean; nothing pg_catalog.text;
BEGIN
  IF homeshard.passes(%1$s) THEN RETURN nothing; END IF;
  ok := homeshard.check_tenant(%1$s, TG_OP);
  RETURN nothing;
END $b$, CASE p_event WHEN 'i' THEN n ELSE o END);
  END IF;
END $f$;

-- Named by the column's type too: a session that has compiled a function for one type cannot run it for another, and
-- compiles anew only what has another name.
CREATE OR REPLACE FUNCTION homeshard.trigger_function(p_tab regclass, p_column name, p_shape text, p_event text)
RETURNS name LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT ('guard_' || p_shape || '_' || substr(md5(concat_ws(' ', homeshard.tenant_expr(p_tab, p_column, 'n'),
            format_type(a.atttypid, NULL), CASE WHEN homeshard.foreign_owner(p_tab) THEN 'foreign' END)), 1, 12)
          || '_' || p_event)::name
    FROM pg_attribute a WHERE a.attrelid = p_tab AND a.attname = p_column
$f$;

-- Partitions of a tree have the triggers of their root under its names; so that one guarded on its own can be attached,
-- its own triggers have others.
CREATE OR REPLACE FUNCTION homeshard.trigger_name(p_shape text, p_event text) RETURNS name LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT (CASE WHEN p_shape = 'tree' AND p_event <> 't' THEN 'zz_homeshard_tree_' ELSE 'zz_homeshard_guard_' END
          || p_event)::name
$f$;

-- What is wrong with the guard of one relation that should have it; null when nothing is.
CREATE OR REPLACE FUNCTION homeshard.guard_problem(p_tab regclass, p_column name, p_shape text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off SET jit = off AS $f$
DECLARE g homeshard.guarded; problem text;
BEGIN
  problem := homeshard.column_problem(p_tab, p_column);
  IF problem IS NOT NULL THEN
    RETURN problem;
  END IF;
  SELECT * INTO g FROM homeshard.guarded x WHERE x.tab = p_tab;
  IF g.tab IS NULL THEN
    RETURN 'has no guard';
  END IF;
  IF g.tenant_column <> p_column THEN
    RETURN format('is guarded by column %I, declared is %I', g.tenant_column, p_column);
  END IF;
  SELECT string_agg(CASE WHEN t.oid IS NULL THEN format('lacks trigger %s', x.name)
                         ELSE format('has trigger %s disabled (tgenabled=%s)', x.name, t.tgenabled) END, ', ')
    INTO problem
    FROM (SELECT homeshard.trigger_name(p_shape, e) AS name FROM unnest(ARRAY['i', 'u', 'd', 't']) e) x
    LEFT JOIN pg_trigger t ON t.tgrelid = p_tab AND t.tgname = x.name
   WHERE t.oid IS NULL OR t.tgenabled <> 'A';
  IF problem IS NOT NULL THEN
    RETURN problem;
  END IF;
  IF g.digest <> homeshard.guard_digest(p_tab) THEN
    RETURN 'has a guard that was changed since it was installed';
  END IF;
  PERFORM FROM unnest(ARRAY['i', 'u', 'd']) e
   WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                      WHERE t.tgrelid = p_tab AND t.tgname = homeshard.trigger_name(p_shape, e)
                        AND p.proname = homeshard.trigger_function(p_tab, p_column, p_shape, e)
                        AND p.prosrc = homeshard.trigger_body(p_tab, p_column, p_shape, e));
  IF FOUND THEN
    RETURN 'has a guard for another column type or of another version or shape';
  END IF;
  RETURN NULL;
END $f$;

-- Holes in the guard, compared with the declaration. No row means complete.
CREATE OR REPLACE FUNCTION homeshard.unguarded() RETURNS TABLE (tab text, problem text) LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off SET jit = off AS $f$
  WITH needed AS MATERIALIZED (SELECT r.tab, r.tenant_column, r.shape FROM homeshard.tenant_relations() r)
  SELECT n.tab::text, p.problem
    FROM needed n, LATERAL (SELECT homeshard.guard_problem(n.tab, n.tenant_column, n.shape)) p (problem)
   WHERE p.problem IS NOT NULL
  UNION ALL
  SELECT '(schema homeshard)', 'has guard functions that were changed since they were installed'
   WHERE homeshard.core_digest() IS DISTINCT FROM (SELECT c.digest FROM homeshard.guard_core c)
  UNION ALL
  SELECT format('%I.%I', t.schema_name, t.table_name), 'is declared a tenant table and does not exist'
    FROM homeshard.declared_table t
   WHERE t.kind = 'tenant' AND to_regclass(format('%I.%I', t.schema_name, t.table_name)) IS NULL
  UNION ALL
  SELECT format('%I.%I', b.schema_name, b.table_name), 'is declared as written in bulk and is no tenant table'
    FROM homeshard.bulk_table b
   WHERE NOT EXISTS (SELECT FROM needed n WHERE n.tab = to_regclass(format('%I.%I', b.schema_name, b.table_name)))
  UNION ALL
  SELECT '(declaration)', 'names no tenant table' WHERE NOT EXISTS (SELECT FROM needed)
$f$;

-- The shape that a relation's guard should have, also where no declaration names it (install() by hand).
CREATE OR REPLACE FUNCTION homeshard.shape_of(p_tab regclass) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT COALESCE((SELECT r.shape FROM homeshard.tenant_relations() r WHERE r.tab = p_tab),
                  (SELECT CASE WHEN c.relkind = 'p' OR EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid
                                    AND t.tgparentid <> 0 AND t.tgname = homeshard.trigger_name('tree', 'i'))
                               THEN 'tree' ELSE 'row' END
                     FROM pg_class c WHERE c.oid = p_tab))
$f$;

-- Locks a table and its partitions, the table first. One time limit for all of them together: whoever holds the first
-- while it waits for the last lets writers wait that long. 0 means no limit.
CREATE OR REPLACE FUNCTION homeshard.hold_tree(p_tab regclass, p_mode text, p_lock_timeout_ms int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE r record; ends timestamptz := clock_timestamp() + p_lock_timeout_ms * interval '1 ms';
  before text := current_setting('lock_timeout');
BEGIN
  FOR r IN WITH RECURSIVE tree AS (
             SELECT p_tab::oid AS oid, 0 AS depth
             UNION SELECT i.inhrelid, t.depth + 1 FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid
                     JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition)
           SELECT c.oid::regclass AS tab FROM tree t JOIN pg_class c ON c.oid = t.oid AND c.relkind <> 'f'
            ORDER BY t.depth, c.oid LOOP
    IF p_lock_timeout_ms > 0 THEN
      PERFORM set_config('lock_timeout', GREATEST(1, ceil(extract(epoch FROM ends - clock_timestamp()) * 1000))::int
                                         || 'ms', true);
    END IF;
    EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', r.tab, p_mode);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $f$;

-- Whether a relation has triggers of its own, not a partition's copies of its root's, that the shape does not want.
CREATE OR REPLACE FUNCTION homeshard.outdated(p_tab regclass, p_shape text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
  SELECT EXISTS (SELECT FROM pg_trigger t, unnest(ARRAY['i', 'u', 'd']) e
                  WHERE t.tgrelid = p_tab AND t.tgparentid = 0
                    AND t.tgname = homeshard.trigger_name(CASE p_shape WHEN 'tree' THEN 'row' ELSE 'tree' END, e))
$f$;

-- STABLE, because these functions read no table themselves: it spares a snapshot for each test of a pass, which is dear
-- when others commit all the time. check_tenant() is VOLATILE and takes its own.
CREATE OR REPLACE FUNCTION homeshard.install_function(p_tab regclass, p_column name, p_shape text, p_event text)
RETURNS name LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE
  fn name := homeshard.trigger_function(p_tab, p_column, p_shape, p_event);
  body text := homeshard.trigger_body(p_tab, p_column, p_shape, p_event);
BEGIN
  IF NOT EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = 'homeshard'::regnamespace AND p.proname = fn
                    AND p.prosrc = body AND p.prosecdef AND p.provolatile = 's' AND p.proconfig IS NULL) THEN
    EXECUTE format('CREATE OR REPLACE FUNCTION homeshard.%I() RETURNS trigger LANGUAGE plpgsql STABLE '
                   'SECURITY DEFINER AS %L', fn, body);
    PERFORM homeshard.close_functions();
  END IF;
  RETURN fn;
END $f$;

-- Drops a trigger of the guard where it is the relation's own and not a partition's copy of its root's. An absent one
-- costs no lock: DROP TRIGGER needs one that stops readers too.
CREATE OR REPLACE FUNCTION homeshard.drop_trigger(p_tab regclass, p_name name) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
BEGIN
  IF EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = p_tab AND t.tgname = p_name AND t.tgparentid = 0) THEN
    EXECUTE format('DROP TRIGGER %I ON %s', p_name, p_tab);
  END IF;
END $f$;

-- Puts the guard on one relation: in one transaction the wanted triggers come and those of another shape go. A tree's
-- root takes its partitions along; they lack only the trigger against TRUNCATE then. Where a tree becomes something
-- else, each partition gets triggers of its own before the copies go with the root's.
CREATE OR REPLACE FUNCTION homeshard.install_relation(p_tab regclass, p_column name, p_lock_timeout_ms int)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE e text; shape text; parts regclass[]; part regclass; copies boolean; functions name[];
BEGIN
  PERFORM homeshard.tenant_expr(p_tab, p_column, 'n');            -- refuses what cannot be guarded
  PERFORM set_config('lock_timeout', p_lock_timeout_ms || 'ms', true);
  PERFORM pg_advisory_xact_lock(4711, 2);                         -- installers would fail on each other's catalog rows
  shape := homeshard.shape_of(p_tab);
  copies := shape = 'tree' AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = p_tab AND t.tgparentid <> 0
                                          AND t.tgname = homeshard.trigger_name('tree', 'i'));
  IF NOT copies THEN                                              -- before the lock, behind which writers wait
    functions := ARRAY(SELECT homeshard.install_function(p_tab, p_column, shape, x.event)
                         FROM unnest(ARRAY['i', 'u', 'd']) WITH ORDINALITY x (event, nr) ORDER BY x.nr);
  END IF;
  IF (shape = 'tree' AND NOT copies) OR (shape <> 'tree' AND homeshard.outdated(p_tab, shape)) THEN
    parts := ARRAY(SELECT p.relid FROM pg_partition_tree(p_tab) p JOIN pg_class c ON c.oid = p.relid
                    WHERE p.relid <> p_tab AND c.relkind <> 'f' ORDER BY p.level, p.relid);
    -- DROP TRIGGER needs a lock that stops readers too: then it is taken at once, within the same time
    PERFORM homeshard.hold_tree(p_tab, CASE WHEN homeshard.outdated(p_tab, shape) OR EXISTS (
      SELECT FROM unnest(parts) x WHERE homeshard.outdated(x, 'row')) THEN 'ACCESS EXCLUSIVE'
      ELSE 'SHARE ROW EXCLUSIVE' END, p_lock_timeout_ms);
  ELSIF homeshard.outdated(p_tab, shape) THEN
    EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', p_tab);
  END IF;
  FOREACH part IN ARRAY COALESCE(parts, '{}') LOOP
    IF shape = 'tree' THEN
      PERFORM homeshard.drop_trigger(part, homeshard.trigger_name('tree', x)) FROM unnest(ARRAY['i', 'u', 'd']) x;
    ELSE
      PERFORM homeshard.install_relation(part, p_column, p_lock_timeout_ms);
    END IF;
  END LOOP;
  FOREACH e IN ARRAY ARRAY['i', 'u', 'd'] LOOP
    IF NOT copies THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER %s ON %s %s EXECUTE FUNCTION homeshard.%I()',
                     homeshard.trigger_name(shape, e),
                     CASE e WHEN 'i' THEN 'INSERT' WHEN 'u' THEN 'UPDATE' ELSE 'DELETE' END, p_tab,
                     CASE WHEN shape <> 'statement' THEN 'FOR EACH ROW'
                          WHEN e = 'i' THEN 'REFERENCING NEW TABLE AS hs_new FOR EACH STATEMENT'
                          WHEN e = 'd' THEN 'REFERENCING OLD TABLE AS hs_old FOR EACH STATEMENT'
                          ELSE 'REFERENCING NEW TABLE AS hs_new OLD TABLE AS hs_old FOR EACH STATEMENT' END,
                     functions[array_position(ARRAY['i', 'u', 'd'], e)]);
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', p_tab, homeshard.trigger_name(shape, e));
  END LOOP;
  FOREACH e IN ARRAY ARRAY['i', 'u', 'd'] LOOP
    PERFORM homeshard.drop_trigger(p_tab, homeshard.trigger_name(CASE shape WHEN 'tree' THEN 'row' ELSE 'tree' END, e));
  END LOOP;
  EXECUTE format('CREATE OR REPLACE TRIGGER zz_homeshard_guard_t BEFORE TRUNCATE ON %s FOR EACH STATEMENT '
                 'EXECUTE FUNCTION homeshard.guard_truncate()', p_tab);
  EXECUTE format('ALTER TABLE ONLY %s ENABLE ALWAYS TRIGGER zz_homeshard_guard_t', p_tab);
  INSERT INTO homeshard.guarded AS g (tab, tenant_column, digest)
  VALUES (p_tab, p_column, homeshard.guard_digest(p_tab))
  ON CONFLICT (tab) DO UPDATE SET tenant_column = excluded.tenant_column, digest = excluded.digest;
  IF shape <> 'tree' THEN                                         -- their copies are gone
    UPDATE homeshard.guarded g SET digest = homeshard.guard_digest(g.tab) WHERE g.tab = ANY (parts);
  END IF;
END $f$;

-- By hand: the guard on a table and everything below it. Needs a declaration as well, or freeze will refuse.
CREATE OR REPLACE FUNCTION homeshard.install(p_tab regclass, p_column name) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE r regclass;
BEGIN
  FOR r IN WITH RECURSIVE tree AS (
             SELECT p_tab::oid AS oid UNION SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid)
           SELECT t.oid::regclass FROM tree t ORDER BY t.oid LOOP
    IF homeshard.guard_problem(r, p_column, homeshard.shape_of(r)) IS NOT NULL THEN
      PERFORM homeshard.install_relation(r, p_column,
                                         (SELECT s.setting::int FROM pg_settings s WHERE s.name = 'lock_timeout'));
    END IF;
  END LOOP;
END $f$;

-- Takes the guard off a relation that is no tenant table any more. Refused while the declaration wants it.
CREATE OR REPLACE FUNCTION homeshard.uninstall_relation(p_tab regclass, p_lock_timeout_ms int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off AS $f$
DECLARE e text;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_timeout_ms || 'ms', true);
  PERFORM pg_advisory_xact_lock(4711, 2);
  IF EXISTS (SELECT FROM homeshard.tenant_relations() r WHERE r.tab = p_tab) THEN
    RAISE EXCEPTION 'homeshard: table % is declared a tenant table and keeps its guard', p_tab
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM homeshard.hold_tree(p_tab, 'ACCESS EXCLUSIVE', p_lock_timeout_ms);
  FOREACH e IN ARRAY ARRAY['i', 'u', 'd', 't'] LOOP
    PERFORM homeshard.drop_trigger(p_tab, homeshard.trigger_name('row', e));
    PERFORM homeshard.drop_trigger(p_tab, homeshard.trigger_name('tree', e));
  END LOOP;
  DELETE FROM homeshard.guarded g WHERE g.tab = p_tab;
END $f$;

-- What an installer has to do, roots first; empty when the guard is as declared. The column is null where the guard has
-- to go.
CREATE OR REPLACE FUNCTION homeshard.install_plan() RETURNS TABLE (tab oid, schema_name name, table_name name,
  tenant_column name) LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET quote_all_identifiers = off SET jit = off AS $f$
  WITH needed AS MATERIALIZED (SELECT r.tab, r.tenant_column, r.root, r.shape FROM homeshard.tenant_relations() r),
  todo AS (
    SELECT n.tab::oid AS tab, n.tenant_column, n.root FROM needed n
     WHERE homeshard.guard_problem(n.tab, n.tenant_column, n.shape) IS NOT NULL
    UNION ALL
    SELECT g.tab::oid, NULL, false FROM homeshard.guarded g WHERE g.tab::oid NOT IN (SELECT n.tab::oid FROM needed n))
  SELECT t.tab, ns.nspname, c.relname, t.tenant_column
    FROM todo t JOIN pg_class c ON c.oid = t.tab JOIN pg_namespace ns ON ns.oid = c.relnamespace
   ORDER BY NOT t.root, 2, 3
$f$;

SELECT homeshard.close_functions();
