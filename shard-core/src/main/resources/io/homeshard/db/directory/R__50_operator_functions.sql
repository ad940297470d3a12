-- Steps that only a person may order, and those that mend what a directory has forgotten. Locks in the order of the other
-- steps: the move's row, the placement, the map version.

-- The way forward without the source, which is down for good: from here on the target may own the tenant.
CREATE OR REPLACE FUNCTION homeshard.waive_source(p_move uuid, p_epoch bigint, p_attempt int, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF m.phase <> 'FLIPPED' THEN RETURN 'refused: the phase is ' || m.phase || ', not FLIPPED'; END IF;
  IF NOT EXISTS (SELECT FROM placement WHERE tenant_id = m.tenant_id AND shard_id = m.target
                    AND generation = m.generation + 1 AND state = 'active') THEN
    RETURN 'refused: the placement is not active on shard ' || m.target || ' at generation ' || m.generation + 1;
  END IF;
  IF EXISTS (SELECT FROM move_step WHERE move_id = p_move AND epoch = p_epoch AND detail ? 'withoutSource') THEN
    RETURN 'already done';
  END IF;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (p_move, 'FLIPPED', p_epoch, p_attempt, jsonb_build_object('withoutSource', p_reason, 'by', actor()));
  RETURN 'done';
END $f$;

-- The second flip: back to the source, two generations later, so that nothing that knows the first flip is right any
-- more. Refused where the target was to be activated without the source, unless the caller has the target's word that it
-- does not own the tenant, or its loss is accepted.
CREATE OR REPLACE FUNCTION homeshard.return_move(
  p_move uuid, p_epoch bigint, p_attempt int, p_reason text, p_regardless boolean) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF m.phase = 'RETURNING' THEN RETURN 'already done'; END IF;
  IF m.phase <> 'FLIPPED' THEN RETURN 'refused: the phase is ' || m.phase || ', not FLIPPED'; END IF;
  IF NOT p_regardless
     AND EXISTS (SELECT FROM move_step WHERE move_id = p_move AND detail ? 'withoutSource') THEN
    RETURN 'refused: the target was to be activated without the source and may own the tenant';
  END IF;
  UPDATE placement SET shard_id = m.source, generation = m.generation + 2, state = 'active'
   WHERE tenant_id = m.tenant_id AND shard_id = m.target AND generation = m.generation + 1 AND state = 'active';
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n <> 1 THEN
    RETURN 'refused: the placement is not active on shard ' || m.target || ' at generation ' || m.generation + 1;
  END IF;
  UPDATE move SET phase = 'RETURNING', phase_since = clock_timestamp(), reason = p_reason WHERE id = p_move;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (p_move, 'RETURNING', p_epoch, p_attempt,
          jsonb_build_object('reason', p_reason, 'regardless', p_regardless, 'by', actor()));
  PERFORM record_change(m.tenant_id, m.target, m.generation + 2, 'return', m.id, m.lease_owner);
  RETURN 'done';
END $f$;

-- An epoch that nobody has had, above the highest that was found on a shard. Takers queue up.
CREATE OR REPLACE FUNCTION homeshard.lift_epochs(p_found bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE e bigint;
BEGIN
  PERFORM begin_step();
  PERFORM FROM directory_meta FOR UPDATE;
  e := nextval('mover_epoch');
  IF e <= p_found THEN
    e := p_found + 1000;              -- a shard that cannot be asked now may know some more
    PERFORM setval('mover_epoch', e);
  END IF;
  RETURN e;
END $f$;

-- What a restored directory says is new to everybody: routers drop what they remember, no map version comes twice.
CREATE OR REPLACE FUNCTION homeshard.lift_directory() RETURNS int
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE i int;
BEGIN
  PERFORM begin_step();
  UPDATE directory_meta SET incarnation = incarnation + 1 RETURNING incarnation INTO i;
  UPDATE map_version SET version = version + 1000000;
  RETURN i;
END $f$;

-- The placement as the shards prove it. p_seen is the map version that the placement had when the shards were read, null
-- when there was none. A generation never goes back.
CREATE OR REPLACE FUNCTION homeshard.reconcile_placement(
  p_tenant text, p_seen bigint, p_shard text, p_generation bigint, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE p placement%ROWTYPE; highest bigint;
BEGIN
  PERFORM begin_step();
  PERFORM FROM move WHERE tenant_id = p_tenant AND phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED') FOR UPDATE;
  IF FOUND THEN RETURN 'refused: the tenant has an unfinished move'; END IF;
  SELECT * INTO p FROM placement WHERE tenant_id = p_tenant FOR UPDATE;
  IF p.shard_id = p_shard AND p.generation = p_generation AND p.state = 'active' THEN RETURN 'already done'; END IF;
  IF p.map_version IS DISTINCT FROM p_seen THEN RETURN 'refused: the placement has changed'; END IF;
  IF EXISTS (SELECT FROM provisioning WHERE tenant_id = p_tenant) THEN
    RETURN 'refused: the creation of the tenant has not ended, tenants().repair() ends it';
  END IF;
  SELECT max(h.generation) INTO highest FROM placement_history h WHERE h.tenant_id = p_tenant;
  IF greatest(p.generation, highest) > p_generation THEN
    RETURN 'refused: the directory knows a higher generation (generation=' || greatest(p.generation, highest) || ', came with '
      || p_generation || ')';
  END IF;
  INSERT INTO placement (tenant_id, shard_id, generation, state, map_version)
  VALUES (p_tenant, p_shard, p_generation, 'active', 0)
  ON CONFLICT (tenant_id) DO UPDATE SET shard_id = excluded.shard_id, generation = excluded.generation, state = 'active';
  PERFORM record_change(p_tenant, p.shard_id, p_generation, p_reason, NULL, actor());
  RETURN 'done';
END $f$;

-- Ends a move of which the shards prove that it is over.
CREATE OR REPLACE FUNCTION homeshard.close_move(p_move uuid, p_epoch bigint, p_to text, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  IF NOT FOUND THEN RETURN 'refused: unknown move'; END IF;
  IF p_to NOT IN ('RETAINED', 'ABORTED') THEN RETURN 'refused: a move does not end in ' || p_to; END IF;
  IF m.phase = p_to THEN RETURN 'already done'; END IF;
  IF m.phase IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED') THEN RETURN 'refused: the phase is ' || m.phase; END IF;
  IF m.epoch <> p_epoch OR m.lease_until > clock_timestamp() THEN RETURN 'refused: a mover is at work on it'; END IF;
  UPDATE move SET phase = p_to, phase_since = clock_timestamp(), reason = p_reason WHERE id = p_move;
  IF p_to = 'ABORTED' THEN
    UPDATE move SET superseded_by = NULL WHERE superseded_by = p_move;
  ELSE                                -- the caller has found the target to be who the directory means
    INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
    SELECT p_move, 'ACTIVATED', m.epoch, m.attempt,
           jsonb_build_object('targetIdentity', d.directory_id || ' ' || s.shard_id || ' ' || s.incarnation, 'reconciled', p_reason)
      FROM directory_meta d, shard s WHERE s.shard_id = m.target;
  END IF;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (p_move, p_to, m.epoch, m.attempt, jsonb_build_object('reconciled', p_reason, 'from', m.phase));
  RETURN 'done';
END $f$;

-- A tenant that is nowhere any more keeps its highest generation: the next life begins above it.
CREATE OR REPLACE FUNCTION homeshard.raise_generation(p_tenant text, p_generation bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  PERFORM FROM placement WHERE tenant_id = p_tenant;
  IF FOUND THEN RETURN 'refused: the tenant exists'; END IF;
  IF EXISTS (SELECT FROM placement_history WHERE tenant_id = p_tenant AND generation >= p_generation) THEN
    RETURN 'already done';
  END IF;
  PERFORM record_change(p_tenant, NULL, p_generation, 'reconcile: generation', NULL, actor());
  RETURN 'done';
END $f$;

-- Evidence of a gathering: begun before its first effect, ended after its last.
CREATE OR REPLACE FUNCTION homeshard.begin_gathering(
  p_id uuid, p_tenant text, p_home text, p_generation bigint, p_epoch bigint, p_report text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE p placement%ROWTYPE; m text;
BEGIN
  PERFORM begin_step();
  SELECT phase INTO m FROM move WHERE tenant_id = p_tenant AND phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED') FOR UPDATE;
  IF FOUND THEN RETURN 'refused: the tenant has an unfinished move (phase=' || m || ')'; END IF;
  SELECT * INTO p FROM placement WHERE tenant_id = p_tenant FOR UPDATE;
  IF (p.shard_id = p_home AND p.generation = p_generation AND p.state = 'active') IS NOT TRUE THEN
    RETURN 'refused: the placement is not active on shard ' || p_home || ' at generation ' || p_generation;
  END IF;
  INSERT INTO gathering (id, tenant_id, home, generation, epoch, actor, report)
  VALUES (p_id, p_tenant, p_home, p_generation, p_epoch, actor(), p_report::jsonb) ON CONFLICT (id) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 'done' ELSE 'already done' END;
END $f$;

CREATE OR REPLACE FUNCTION homeshard.end_gathering(p_id uuid, p_report text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  UPDATE gathering SET report = report || p_report::jsonb, ended_at = clock_timestamp() WHERE id = p_id;
  RETURN CASE WHEN FOUND THEN 'done' ELSE 'refused: unknown gathering' END;
END $f$;
