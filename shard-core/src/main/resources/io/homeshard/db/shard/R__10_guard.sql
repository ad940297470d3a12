-- The guard itself: what runs inside the application's transactions.
--
-- These functions run with the search_path of whoever writes. A SET clause costs 6 us at each call, so they spell out
-- the schema of every name and operator instead; beware of IN, CASE x WHEN and IS DISTINCT FROM, which look "=" up, and
-- of DECLARE s text: a domain pg_temp.text whose CHECK calls a function of the writer would run it as the owner.
-- Lock keys are computed in schema homeshard only: two formulas for one lock would exclude nobody. A tenant's key is
-- hashtextextended(tenant, 4711); a collision of two tenants only waits. The shard's maintenance key is (4711, 1).

CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql IMMUTABLE AS $f$ SELECT 1 $f$;

-- Lock and read are separate statements of a VOLATILE function: at READ COMMITTED the read has a snapshot that is newer
-- than the lock. Above it only a row lock notices a newer version (40001). Refusals take no row lock: a stream of them
-- would starve the update that thaws.
CREATE OR REPLACE FUNCTION homeshard.check_tenant(t text, op text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $f$
DECLARE s pg_catalog.text;
BEGIN
  IF NOT pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended(t, 4711)) THEN
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended(t, 4711));
  END IF;
  SELECT o.state INTO s FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) t;
  IF s OPERATOR(pg_catalog.=) 'owned' THEN
    IF NOT pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.~~) 'read %' THEN
      PERFORM FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) t FOR SHARE;
    END IF;
    RETURN true;
  END IF;
  IF s OPERATOR(pg_catalog.=) 'frozen' THEN
    RAISE EXCEPTION 'homeshard: tenant % is frozen', t USING ERRCODE = 'HS002';
  END IF;
  IF (s OPERATOR(pg_catalog.=) 'incoming' OR (s OPERATOR(pg_catalog.=) 'moved' AND op OPERATOR(pg_catalog.=) 'DELETE'))
     AND homeshard.is_mover(t) THEN
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA homeshard FROM PUBLIC;
