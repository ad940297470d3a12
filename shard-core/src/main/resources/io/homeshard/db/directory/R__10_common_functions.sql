-- What all steps share. Names are found by a pinned search_path; the settings of begin_step() last to the end of the
-- transaction, which is the step.

CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';

-- First statement of every step: durable whatever the session says, and never waiting long for a lock.
CREATE OR REPLACE FUNCTION homeshard.begin_step() RETURNS void LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '5s', true);
END $f$;

CREATE OR REPLACE FUNCTION homeshard.lease(p_ms bigint) RETURNS timestamptz LANGUAGE sql VOLATILE
SET search_path = pg_catalog, homeshard, pg_temp AS
$f$ SELECT clock_timestamp() + p_ms * interval '1 millisecond' $f$;

-- A time as messages say it, whatever the zone and style of the session.
CREATE OR REPLACE FUNCTION homeshard.utc(p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, homeshard, pg_temp AS
$f$ SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $f$;

CREATE OR REPLACE FUNCTION homeshard.actor() RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, homeshard, pg_temp AS
$f$ SELECT coalesce(nullif(current_setting('application_name', true), ''), session_user::text) $f$;

-- Last act of every transaction that changes a placement: takes the lock of the map version, so that it is held for a
-- moment only, stamps the placement (if it still exists), and writes the history. Waits for no other lock.
CREATE OR REPLACE FUNCTION homeshard.record_change(
  p_tenant text, p_from text, p_generation bigint, p_reason text, p_move uuid, p_actor text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE v bigint; p placement%ROWTYPE;
BEGIN
  UPDATE map_version SET version = version + 1 RETURNING version INTO STRICT v;
  UPDATE placement SET map_version = v, changed_at = clock_timestamp() WHERE tenant_id = p_tenant RETURNING * INTO p;
  INSERT INTO placement_history (map_version, tenant_id, from_shard, to_shard, generation, state, reason, move_id, actor)
  VALUES (v, p_tenant, p_from, p.shard_id, p_generation, p.state, p_reason, p_move, p_actor);
  PERFORM pg_notify('homeshard', v::text || ' ' || p_tenant);   -- a hint; the history is the truth
  RETURN v;
END $f$;

-- Registers a shard. Serialized by a table lock that routing and moves do not notice.
CREATE OR REPLACE FUNCTION homeshard.add_shard(
  p_shard text, p_number int, p_url text, p_region text, p_weight int, p_dedicated boolean, p_incarnation int)
RETURNS text LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE s shard%ROWTYPE; n int := p_number;
BEGIN
  PERFORM begin_step();
  LOCK TABLE shard IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO s FROM shard WHERE shard_id = p_shard;
  IF FOUND THEN
    IF s.removed_at IS NOT NULL THEN RETURN 'refused: a shard of that name was removed, choose another name'; END IF;
    IF (s.jdbc_url, s.region, s.weight, s.dedicated, s.incarnation)
         IS DISTINCT FROM (p_url, p_region, p_weight, p_dedicated, p_incarnation)
       OR (p_number <> 0 AND p_number <> s.shard_number) THEN
      RETURN 'refused: the name is registered with other values';
    END IF;
    RETURN 'already done';
  END IF;
  SELECT * INTO s FROM shard WHERE jdbc_url = p_url AND removed_at IS NULL;
  IF FOUND THEN RETURN 'refused: the address is registered as shard ' || s.shard_id; END IF;
  IF n = 0 THEN
    SELECT min(g) INTO n FROM generate_series(1, 1023) g WHERE NOT EXISTS (SELECT FROM shard WHERE shard_number = g);
    IF n IS NULL THEN RETURN 'refused: all 1023 shard numbers are in use'; END IF;
  ELSIF EXISTS (SELECT FROM shard WHERE shard_number = n) THEN
    RETURN 'refused: the number is in use (number=' || n || ')';
  END IF;
  INSERT INTO shard (shard_id, shard_number, jdbc_url, region, weight, dedicated, incarnation)
  VALUES (p_shard, n, p_url, p_region, p_weight, p_dedicated, p_incarnation);
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.set_shard_status(p_shard text, p_status text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE s text;
BEGIN
  PERFORM begin_step();
  UPDATE shard SET status = p_status, version = version + 1
   WHERE shard_id = p_shard AND status <> p_status AND (bootstrapped OR p_status <> 'active') AND removed_at IS NULL;
  IF FOUND THEN RETURN 'done'; END IF;
  SELECT status INTO s FROM shard WHERE shard_id = p_shard AND removed_at IS NULL;
  IF NOT FOUND THEN RETURN 'refused: unknown shard'; END IF;
  IF s = p_status THEN RETURN 'already done'; END IF;
  RETURN 'refused: its schema was never rolled out, SchemaRollout.migrate() rolls it out and puts it into service (status='
    || s || ')';
END $f$;

-- The first complete roll-out puts a shard into service; later ones do not overrule an operator.
CREATE OR REPLACE FUNCTION homeshard.bootstrapped(p_shard text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  UPDATE shard SET bootstrapped = true, status = CASE status WHEN 'offline' THEN 'active' ELSE status END,
         version = version + 1
   WHERE shard_id = p_shard AND NOT bootstrapped AND removed_at IS NULL;
  IF FOUND THEN RETURN 'done'; END IF;
  IF EXISTS (SELECT FROM shard WHERE shard_id = p_shard AND removed_at IS NULL) THEN RETURN 'already done'; END IF;
  RETURN 'refused: unknown shard';
END $f$;

-- Takes a shard out of use for ever. Its row is locked first: plans and creations ask for its status under a lock of
-- their own, so that what is counted here is all there is and nothing can come afterwards.
CREATE OR REPLACE FUNCTION homeshard.remove_shard(p_shard text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE s shard%ROWTYPE; n bigint; one text;
BEGIN
  PERFORM begin_step();
  SELECT * INTO s FROM shard WHERE shard_id = p_shard FOR UPDATE;
  IF NOT FOUND THEN RETURN 'refused: unknown shard'; END IF;
  IF s.removed_at IS NOT NULL THEN RETURN 'already done'; END IF;
  SELECT count(*), min(operation::text) INTO n, one FROM provisioning WHERE shard_id = p_shard;
  IF n > 0 THEN
    RETURN 'refused: creations of tenants have not ended there, tenants().repair() ends them (creations=' || n
      || ', one=' || one || ')';
  END IF;
  SELECT count(*), min(id::text) INTO n, one FROM move
   WHERE p_shard IN (source, target) AND phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED');
  IF n > 0 THEN
    RETURN 'refused: moves from or to it have not ended, wait for them, or recover() when their processes are gone (moves='
      || n || ', one=' || one || ')';
  END IF;
  SELECT count(*), min(tenant_id) INTO n, one FROM placement WHERE shard_id = p_shard;
  IF n > 0 THEN
    RETURN 'refused: tenants live there, drain it first (tenants=' || n || ', one=' || one || ')';
  END IF;
  SELECT count(*), min(id::text) INTO n, one FROM move
   WHERE source = p_shard AND phase IN ('RETAINED', 'CLEANING') AND superseded_by IS NULL;
  IF n > 0 THEN
    RETURN 'refused: old rows of moved tenants are kept there, cleanDue() deletes them when their retention is over, cleanNow(move) before that (moves='
      || n || ', one=' || one || ')';
  END IF;
  IF s.status = 'active' THEN
    RETURN 'refused: the shard is active, set it to draining first (status=active)';
  END IF;
  UPDATE shard SET status = 'offline', removed_at = clock_timestamp(), version = version + 1 WHERE shard_id = p_shard;
  RETURN 'done';
END $f$;
