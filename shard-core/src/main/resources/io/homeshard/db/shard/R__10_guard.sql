-- The guard itself: what runs inside the application's transactions.
--
-- These functions run with the search_path of whoever writes. A SET clause costs 6 us at each call, so they spell out
-- the schema of every name and operator instead; beware of IN, CASE x WHEN and IS DISTINCT FROM, which look "=" up, and
-- of DECLARE s text: a domain pg_temp.text whose CHECK calls a function of the writer would run it as the owner.
-- Lock keys are computed in schema homeshard only: two formulas for one lock would exclude nobody. A tenant's key is
-- hashtextextended(tenant, 4711); a collision of two tenants only waits. The shard's maintenance key is (4711, 1).

CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql IMMUTABLE AS $f$ SELECT 1 $f$;

-- How many passes a session keeps. Before PostgreSQL 16 each setting of one's own makes every later one dearer: with
-- 1024 of them a parallel query began 0.2 s later. After an upgrade of the server the number stays as it was until this
-- script changes.
DO $$ BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION homeshard.pass_slots() RETURNS int LANGUAGE sql IMMUTABLE AS %L',
                 'SELECT ' || CASE WHEN current_setting('server_version_num')::int < 160000 THEN 64 ELSE 4096 END);
END $$;

-- A pass is what a session remembers of a tenant: it was owned when this closing was the latest. It outlives the
-- transaction and dies with the next closing of any tenant. Sessions keep passes in slots, settings of their own; what
-- leaks there, or is written there by hand, is no pass without the number of the closing. The hash is quick, not one-way:
-- it keeps mistakes out, not somebody who sets out to compute that number from a pass that he can read.
-- These three are inlined by the planner into whatever calls them: no call, and one text of each formula.
CREATE OR REPLACE FUNCTION homeshard.pass_slot(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $f$
  SELECT 'homeshard.pass_' OPERATOR(pg_catalog.||) pg_catalog.to_hex(
           pg_catalog.hashtext(t) OPERATOR(pg_catalog.&) (homeshard.pass_slots() OPERATOR(pg_catalog.-) 1))
$f$;

CREATE OR REPLACE FUNCTION homeshard.pass(t text) RETURNS text LANGUAGE sql VOLATILE AS $f$
  SELECT (t OPERATOR(pg_catalog.||) pg_catalog.hashtextextended(t,
           pg_catalog.pg_sequence_last_value('homeshard.closings'::pg_catalog.regclass))::pg_catalog.text)
         COLLATE pg_catalog."C"
$f$;

-- True: the tenant is owned, and cannot close before this transaction (or the savepoint's part of it) has ended. The
-- lock comes first, and a closing is counted under the exclusive lock: so the number read here is not an old one,
-- whatever snapshot the transaction has. A pass is from before the transaction, or was checked against its snapshot.
CREATE OR REPLACE FUNCTION homeshard.passes(t text) RETURNS boolean LANGUAGE sql VOLATILE AS $f$
  SELECT CASE WHEN pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended(t, 4711))
              THEN pg_catalog.current_setting(homeshard.pass_slot(t), true) OPERATOR(pg_catalog.=) homeshard.pass(t) END
$f$;

-- For whoever has no pass. Lock and read are separate statements of a VOLATILE function: at READ COMMITTED the read has
-- a snapshot that is newer than the lock. Above it only a row lock notices a newer version (40001). Refusals take no row
-- lock: a stream of them would starve the update that thaws.
CREATE OR REPLACE FUNCTION homeshard.check_tenant(t text, op text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $f$
DECLARE s pg_catalog.text;
BEGIN
  IF NOT pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended(t, 4711)) THEN
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended(t, 4711));
  END IF;
  SELECT o.state INTO s FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) t;
  IF s OPERATOR(pg_catalog.=) 'owned' THEN
    IF pg_catalog.split_part(pg_catalog.current_setting('homeshard.mover', true), '/', 1)
       OPERATOR(pg_catalog.=) pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text THEN
      RAISE EXCEPTION 'homeshard: a mover writes its own tenant only' USING ERRCODE = 'HS004';
    END IF;
    IF NOT pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.~~) 'read %' THEN
      PERFORM FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) t FOR SHARE;
    END IF;
    -- A standby's copy of the number lags behind: what is remembered there must not survive its promotion. And what this
    -- transaction itself has opened may still be undone, by ROLLBACK PREPARED after the session has kept the pass.
    IF NOT pg_catalog.pg_is_in_recovery()
       AND (pg_catalog.current_setting('homeshard.opened', true)
            OPERATOR(pg_catalog.=) pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text) IS NOT TRUE THEN
      s := pg_catalog.set_config('homeshard.has_passes', 'yes', false);
      s := pg_catalog.set_config(homeshard.pass_slot(t), homeshard.pass(t), false);
    END IF;
    RETURN true;
  END IF;
  IF s OPERATOR(pg_catalog.=) 'frozen' THEN
    RAISE EXCEPTION 'homeshard: tenant % is frozen', t USING ERRCODE = 'HS002';
  END IF;
  IF (s OPERATOR(pg_catalog.=) 'incoming' OR (s OPERATOR(pg_catalog.=) 'moved' AND op OPERATOR(pg_catalog.=) 'DELETE'))
     AND homeshard.is_mover(t) THEN
    IF s OPERATOR(pg_catalog.=) 'incoming' THEN                   -- enter_mover() holds the row until the transaction ends
      s := pg_catalog.set_config('homeshard.has_passes', 'yes', true);
      s := pg_catalog.set_config(homeshard.pass_slot(t), homeshard.pass(t), true);
    END IF;
    RETURN true;
  END IF;
  IF t IS NULL OR t OPERATOR(pg_catalog.=) '' THEN
    RAISE EXCEPTION 'homeshard: row without tenant' USING ERRCODE = 'HS007';
  END IF;
  IF s OPERATOR(pg_catalog.=) 'incoming' THEN
    RAISE EXCEPTION 'homeshard: tenant % is arriving here', t USING ERRCODE = 'HS002';
  END IF;
  RAISE EXCEPTION 'homeshard: tenant % is not owned here', t USING ERRCODE = 'HS001',
    DETAIL = 'state: ' OPERATOR(pg_catalog.||) COALESCE(s, 'unknown');
END $f$;

-- Whether enter_mover() ran for the tenant in this very transaction. Anybody can set the variable, so it counts only in
-- sessions of members of the schema's owner.
CREATE OR REPLACE FUNCTION homeshard.is_mover(t text) RETURNS boolean LANGUAGE plpgsql STABLE AS $f$
BEGIN
  RETURN pg_catalog.current_setting('homeshard.mover', true) OPERATOR(pg_catalog.=)
           (pg_catalog.pg_current_xact_id()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) t)
     AND pg_catalog.pg_has_role(session_user, (SELECT n.nspowner FROM pg_catalog.pg_namespace n
                                                WHERE n.nspname OPERATOR(pg_catalog.=) 'homeshard'), 'member');
END $f$;

CREATE OR REPLACE FUNCTION homeshard.guard_truncate() RETURNS trigger LANGUAGE plpgsql AS $f$
BEGIN
  RAISE EXCEPTION 'homeshard: TRUNCATE of tenant table % is refused', TG_RELID::pg_catalog.regclass
    USING ERRCODE = 'HS003', HINT = 'Delete the rows of one tenant instead.';
END $f$;

-- A new number for the latest closing, random, so that no old one ever comes back. Call it with the tenant's lock.
CREATE OR REPLACE FUNCTION homeshard.number_closing() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
  PERFORM setval('homeshard.closings', 1 + (hashtextextended(gen_random_uuid()::text, 0) & 2305843009213693951));
END $f$;

-- Any change of an owned row counts as a closing, made by hand too: it waits for the tenant's writers and makes all
-- passes worthless. Opening needs neither.
CREATE OR REPLACE FUNCTION homeshard.closing() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(OLD.tenant_id, 4711));
  PERFORM homeshard.number_closing();
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END $f$;

-- Marks the transaction that opens a tenant: check_tenant() gives it no pass.
CREATE OR REPLACE FUNCTION homeshard.opening() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
  PERFORM set_config('homeshard.opened', pg_current_xact_id()::text, true);
  RETURN NULL;
END $f$;

CREATE OR REPLACE TRIGGER homeshard_opening AFTER INSERT OR UPDATE ON homeshard.ownership FOR EACH ROW
WHEN (NEW.state = 'owned') EXECUTE FUNCTION homeshard.opening();
CREATE OR REPLACE TRIGGER homeshard_closing BEFORE UPDATE OR DELETE ON homeshard.ownership FOR EACH ROW
WHEN (OLD.state = 'owned') EXECUTE FUNCTION homeshard.closing();
CREATE OR REPLACE TRIGGER homeshard_keep BEFORE TRUNCATE ON homeshard.ownership FOR EACH STATEMENT
EXECUTE FUNCTION homeshard.guard_truncate();
ALTER TABLE homeshard.ownership ENABLE ALWAYS TRIGGER homeshard_opening, ENABLE ALWAYS TRIGGER homeshard_closing,
  ENABLE ALWAYS TRIGGER homeshard_keep;

-- Strict mode, for a transaction that will write: locks the tenant before any row, checks the generation, and declares
-- the tenant to row-level security.
CREATE OR REPLACE FUNCTION homeshard.enter(tenant text, generation bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $f$
#variable_conflict use_column
DECLARE g bigint; s pg_catalog.text;
BEGIN
  PERFORM homeshard.check_tenant($1, 'ENTER');
  SELECT o.generation INTO g FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) $1;
  IF (g OPERATOR(pg_catalog.=) $2) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: tenant % has generation %, caller came with %', $1, g, $2 USING ERRCODE = 'HS008';
  END IF;
  s := pg_catalog.set_config('app.tenant_id', $1, true);
  RETURN g;
END $f$;

-- For a transaction that only reads: no lock, no transaction id, also while the tenant is frozen.
CREATE OR REPLACE FUNCTION homeshard.visit(tenant text, generation bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $f$
#variable_conflict use_column
DECLARE g bigint; s pg_catalog.text;
BEGIN
  IF $1 IS NULL OR $1 OPERATOR(pg_catalog.=) '' THEN
    RAISE EXCEPTION 'homeshard: visit without tenant' USING ERRCODE = 'HS007';
  END IF;
  SELECT o.generation, o.state INTO g, s FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) $1;
  IF s OPERATOR(pg_catalog.=) 'incoming' THEN
    RAISE EXCEPTION 'homeshard: tenant % is arriving here', $1 USING ERRCODE = 'HS002';
  END IF;
  IF (s OPERATOR(pg_catalog.=) 'owned' OR s OPERATOR(pg_catalog.=) 'frozen') IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: tenant % is not owned here', $1 USING ERRCODE = 'HS001',
      DETAIL = 'state: ' OPERATOR(pg_catalog.||) COALESCE(s, 'unknown');
  END IF;
  IF (g OPERATOR(pg_catalog.=) $2) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: tenant % has generation %, caller came with %', $1, g, $2 USING ERRCODE = 'HS008';
  END IF;
  s := pg_catalog.set_config('app.tenant_id', $1, true);
  RETURN g;
END $f$;

-- Who this shard is, for each new connection of the application.
CREATE OR REPLACE FUNCTION homeshard.identity(OUT directory_id uuid, OUT shard_id text, OUT incarnation int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $f$
  SELECT i.directory_id, i.shard_id, i.incarnation FROM homeshard.shard_identity i
$f$;

-- What the application's role may call: nothing of it is needed for plain guarded writes.
CREATE OR REPLACE FUNCTION homeshard.grant_application(p_role name) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA homeshard TO %I', p_role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION homeshard.enter(text, bigint), homeshard.visit(text, bigint), '
                 'homeshard.identity(), homeshard.schema_number() TO %I', p_role);
END $f$;

-- Nobody else may call what is here, but whoever makes a partition has to be allowed what its root's triggers call.
CREATE OR REPLACE FUNCTION homeshard.close_functions() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE f regprocedure; g record;
BEGIN
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA homeshard FROM PUBLIC;
  FOR g IN SELECT p.oid::regprocedure AS fn, a.grantee FROM pg_proc p, aclexplode(p.proacl) a
            WHERE p.pronamespace = 'homeshard'::regnamespace AND a.grantee NOT IN (0, p.proowner)
              AND p.proname NOT IN ('enter', 'visit', 'identity', 'schema_number') LOOP    -- see grant_application()
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %I', g.fn, pg_get_userbyid(g.grantee));
  END LOOP;
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'homeshard'::regnamespace
              AND p.prorettype = 'trigger'::regtype AND p.proname ~ '^guard_tree_' LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', f);
  END LOOP;
END $f$;

-- The functions behind the triggers of all tables, and what counts closings, as they are now.
CREATE OR REPLACE FUNCTION homeshard.core_digest() RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET jit = off AS $f$
  SELECT md5(string_agg(x.part, E'\n' ORDER BY x.part COLLATE "C")) FROM (
    SELECT concat_ws('|', p.proname, pg_get_function_identity_arguments(p.oid), p.prosecdef, p.provolatile, p.proisstrict,
                     p.proconfig, p.prosrc)
      FROM pg_proc p WHERE p.pronamespace = 'homeshard'::regnamespace
       AND p.proname IN ('pass_slots', 'pass_slot', 'pass', 'passes', 'check_tenant', 'is_mover', 'opening', 'closing', 'number_closing',
                         'guard_truncate')
    UNION ALL
    SELECT concat_ws('|', t.tgenabled, pg_get_triggerdef(t.oid)) FROM pg_trigger t
     WHERE t.tgrelid = 'homeshard.ownership'::regclass AND NOT t.tgisinternal
    UNION ALL
    SELECT pg_get_ruledef(r.oid) FROM pg_rewrite r WHERE r.ev_class = 'homeshard.ownership'::regclass
    UNION ALL
    SELECT concat_ws('|', s.seqincrement, s.seqmax, s.seqcache, s.seqcycle) FROM pg_sequence s
     WHERE s.seqrelid = to_regclass('homeshard.closings')) x (part)
$f$;

INSERT INTO homeshard.guard_core (digest) VALUES (homeshard.core_digest())
ON CONFLICT (one) DO UPDATE SET digest = excluded.digest;

SELECT homeshard.close_functions();
