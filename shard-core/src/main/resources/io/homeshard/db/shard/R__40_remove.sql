-- A team that leaves: the guard goes from every table and the declaration with it. What remains is the schema itself, on
-- which nothing of the application depends.

-- Relations with a trigger of this schema, the copies that partitions have of their table's triggers aside. From the
-- catalog and not from the record of what was installed: what is left out here would go by DROP SCHEMA CASCADE only.
CREATE OR REPLACE FUNCTION homeshard.removal_plan() RETURNS TABLE (tab oid, schema_name name, table_name name)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $f$
  SELECT c.oid, n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname <> 'homeshard'
     AND EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                  WHERE t.tgrelid = c.oid AND t.tgparentid = 0 AND p.pronamespace = 'homeshard'::regnamespace
                    AND t.tgname ~ '^zz_homeshard_')
   ORDER BY 2, 3
$f$;

-- Why the guard cannot go now; null when it can. Without it, rows that a move has left behind could be written here.
CREATE OR REPLACE FUNCTION homeshard.removal_problem() RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET jit = off AS $f$
DECLARE frozen bigint; incoming bigint; uncleaned bigint; example text;
BEGIN
  SELECT count(*) FILTER (WHERE o.state = 'frozen'), count(*) FILTER (WHERE o.state = 'incoming')
    INTO frozen, incoming FROM homeshard.ownership o;
  SELECT count(x.tab), min(x.tab) INTO uncleaned, example
    FROM homeshard.ownership o, LATERAL (SELECT homeshard.table_with_rows(o.tenant_id)) x (tab) WHERE o.state = 'moved';
  IF frozen + incoming + uncleaned = 0 THEN
    RETURN NULL;
  END IF;
  RETURN format('moves or creations are not finished, end them and clean what they left behind (frozen=%s, '
                'incoming=%s, moved with rows left=%s%s)', frozen, incoming, uncleaned, ', for one in ' || example);
END $f$;

-- First step of a removal: withdraws the declaration, unless a tenant would lose by it. From then on freeze refuses. A
-- freeze has read the declaration before it checks the guard, and whoever reserves or sweeps holds the maintenance key:
-- so with both locks none is under way that has not shown its row yet.
CREATE OR REPLACE FUNCTION homeshard.withdraw(p_lock_timeout_ms int) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE problem text; pending boolean;
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'homeshard: a removal needs READ COMMITTED, was %', current_setting('transaction_isolation')
      USING ERRCODE = 'HS005';
  END IF;
  PERFORM homeshard.durable();
  PERFORM set_config('lock_timeout', p_lock_timeout_ms || 'ms', true);
  PERFORM pg_advisory_xact_lock(4711, 2);
  LOCK TABLE homeshard.declaration IN ACCESS EXCLUSIVE MODE;
  PERFORM pg_advisory_xact_lock(4711, 1);
  SELECT EXISTS (SELECT FROM homeshard.declaration) OR EXISTS (SELECT FROM homeshard.removal_plan()) INTO pending;
  problem := homeshard.removal_problem();
  IF pending AND problem IS NOT NULL THEN
    RETURN 'refused: ' || problem;
  END IF;
  DELETE FROM homeshard.declared_table;
  DELETE FROM homeshard.bulk_table;
  DELETE FROM homeshard.declaration;
  IF pending THEN
    RETURN 'done';
  END IF;
  DELETE FROM homeshard.guarded;                                  -- of tables that are gone
  RETURN 'already done';
END $f$;

-- Takes the guard off one relation and the partitions that have copies of its triggers: one short lock (ACCESS
-- EXCLUSIVE: DROP TRIGGER takes no weaker one). Refused while there is a declaration.
CREATE OR REPLACE FUNCTION homeshard.remove_relation(p_tab regclass, p_lock_timeout_ms int) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
DECLARE trigger_name name;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_timeout_ms || 'ms', true);
  PERFORM pg_advisory_xact_lock(4711, 2);
  IF EXISTS (SELECT FROM homeshard.declaration) THEN
    RAISE EXCEPTION 'homeshard: the guard was installed again while it was being removed'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Stop the roll-out, then remove the guard again.';
  END IF;
  PERFORM homeshard.hold_tree(p_tab, 'ACCESS EXCLUSIVE', p_lock_timeout_ms);
  FOR trigger_name IN SELECT t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                       WHERE t.tgrelid = p_tab AND t.tgparentid = 0 AND p.pronamespace = 'homeshard'::regnamespace LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', trigger_name, p_tab);
  END LOOP;
  DELETE FROM homeshard.guarded g
   WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                      WHERE t.tgrelid = g.tab AND p.pronamespace = 'homeshard'::regnamespace);
END $f$;

SELECT homeshard.close_functions();
