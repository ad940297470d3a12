-- Steps of a move. Each locks the move's row first, then the placement, then the map version; plan_move, whose move has
-- no row yet, locks the placement first. Each answers 'done', 'already done' or 'refused: why', and changes nothing when
-- it refuses.

-- Which phase may follow which by advance(). FLIPPED, ABORTING and RETURNING have functions of their own. VERIFIED goes back to
-- COPYING only in a new attempt, after a take-over.
CREATE OR REPLACE FUNCTION homeshard.may_follow(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, homeshard, pg_temp AS $f$
  SELECT (p_from, p_to) IN (('PLANNED', 'RESERVED'), ('RESERVED', 'FREEZING'), ('FREEZING', 'FROZEN'),
    ('FROZEN', 'COPYING'), ('COPYING', 'VERIFIED'), ('VERIFIED', 'COPYING'), ('FLIPPED', 'ACTIVATED'),
    ('ACTIVATED', 'RETAINED'), ('RETAINED', 'CLEANING'), ('CLEANING', 'DONE'), ('ABORTING', 'ABORTED'),
    ('RETURNING', 'ABORTED'))
$f$;

CREATE OR REPLACE FUNCTION homeshard.before_flip(p_phase text) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, homeshard, pg_temp AS
$f$ SELECT p_phase IN ('PLANNED', 'RESERVED', 'FREEZING', 'FROZEN', 'COPYING', 'VERIFIED') $f$;

-- Why a ticket does not hold this move, or null. The caller has locked the row.
CREATE OR REPLACE FUNCTION homeshard.ticket_problem(m homeshard.move, p_epoch bigint, p_attempt int) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
  SELECT CASE
    WHEN m.id IS NULL THEN 'unknown move'
    WHEN m.epoch <> p_epoch THEN 'another mover has the move (epoch=' || m.epoch || ', came with ' || p_epoch || ')'
    WHEN m.attempt <> p_attempt THEN 'another attempt (attempt=' || m.attempt || ', came with ' || p_attempt || ')'
  END
$f$;

-- Why a freeze may not be begun or go on now, by the directory's clock, or null. A missing bound bounds nothing.
CREATE OR REPLACE FUNCTION homeshard.window_problem(p_not_before timestamptz, p_not_after timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE now timestamptz := clock_timestamp();
BEGIN
  IF now < p_not_before THEN
    RETURN 'the window has not begun (notBefore=' || utc(p_not_before) || ', now=' || utc(now) || ')';
  ELSIF now >= p_not_after THEN
    RETURN 'the window is over (notAfter=' || utc(p_not_after) || ', now=' || utc(now) || ')';
  END IF;
  RETURN NULL;
END $f$;

CREATE OR REPLACE FUNCTION homeshard.plan_move(
  p_move uuid, p_tenant text, p_target text, p_owner text, p_lease_ms bigint,
  p_not_before timestamptz, p_not_after timestamptz, p_freeze_budget_ms bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE p placement%ROWTYPE; m move%ROWTYPE; t text;
BEGIN
  PERFORM begin_step();
  SELECT * INTO p FROM placement WHERE tenant_id = p_tenant FOR UPDATE;     -- plans of one tenant queue up here
  SELECT * INTO m FROM move WHERE id = p_move;
  IF FOUND THEN
    IF m.tenant_id = p_tenant AND m.target = p_target AND m.lease_owner = p_owner THEN RETURN 'already done'; END IF;
    RETURN 'refused: the move id is in use';
  END IF;
  IF p.tenant_id IS NULL THEN RETURN 'refused: unknown tenant'; END IF;
  SELECT * INTO m FROM move WHERE tenant_id = p_tenant AND phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED');
  IF FOUND THEN RETURN 'refused: the tenant has an unfinished move (phase=' || m.phase || ', move=' || m.id || ')'; END IF;
  IF p.state <> 'active' THEN RETURN 'refused: the tenant is ' || p.state; END IF;
  -- a creation that has not ended may still write to the shard that the tenant is about to leave
  IF EXISTS (SELECT FROM provisioning c WHERE c.tenant_id = p_tenant) THEN
    RETURN 'refused: the creation of the tenant has not ended, tenants().repair() ends it';
  END IF;
  IF p.shard_id = p_target THEN RETURN 'refused: the tenant is on shard ' || p_target || ' already'; END IF;
  SELECT status INTO t FROM shard WHERE shard_id = p_target FOR SHARE;       -- see begin_create
  IF t IS NULL THEN RETURN 'refused: unknown shard ' || p_target; END IF;
  IF t <> 'active' THEN RETURN 'refused: shard ' || p_target || ' is ' || t; END IF;
  t := window_problem(p_not_before, p_not_after);
  IF t IS NOT NULL THEN RETURN 'refused: ' || t; END IF;
  INSERT INTO move (id, tenant_id, source, target, generation, phase, epoch, lease_owner, lease_until, not_before,
                    not_after, freeze_budget_ms)
  VALUES (p_move, p_tenant, p.shard_id, p_target, p.generation, 'PLANNED', nextval('mover_epoch'), p_owner,
          lease(p_lease_ms), p_not_before, p_not_after, p_freeze_budget_ms)
  RETURNING * INTO m;
  -- old rows that wait on the new target are this move's business from now on
  UPDATE move SET superseded_by = p_move
   WHERE tenant_id = p_tenant AND source = p_target AND phase IN ('RETAINED', 'CLEANING') AND superseded_by IS NULL;
  INSERT INTO move_step (move_id, phase, epoch, attempt) VALUES (m.id, m.phase, m.epoch, m.attempt);
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.advance_move(
  p_move uuid, p_epoch bigint, p_attempt int, p_from text, p_to text, p_detail text, p_lease_ms bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF NOT may_follow(p_from, p_to) THEN RETURN 'refused: ' || p_to || ' does not follow ' || p_from; END IF;
  IF m.phase = p_to AND (p_to <> 'VERIFIED' OR m.verified_attempt = m.attempt) THEN
    UPDATE move SET lease_until = lease(p_lease_ms) WHERE id = p_move AND NOT p_to IN ('RETAINED', 'DONE', 'ABORTED');
    RETURN 'already done';
  END IF;
  IF m.phase <> p_from THEN RETURN 'refused: the phase is ' || m.phase || ', not ' || p_from; END IF;
  IF p_from = 'VERIFIED' AND m.verified_attempt = m.attempt THEN
    RETURN 'refused: this attempt is verified (attempt=' || m.attempt || ')';
  END IF;
  IF p_to = 'CLEANING' AND m.superseded_by IS NOT NULL THEN
    RETURN 'refused: superseded by a later move (move=' || m.superseded_by || ')';
  END IF;
  IF p_to = 'FREEZING' THEN
    why := window_problem(m.not_before, m.not_after);
    IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
    UPDATE placement SET state = 'frozen'
     WHERE tenant_id = m.tenant_id AND shard_id = m.source AND generation = m.generation AND state = 'active';
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n <> 1 THEN RETURN 'refused: the placement is not active on shard ' || m.source || ' at generation ' || m.generation; END IF;
  ELSIF p_to = 'ABORTED' THEN
    -- whether there is something to thaw is read from the row
    UPDATE placement SET state = 'active'
     WHERE tenant_id = m.tenant_id AND shard_id = m.source AND generation = m.generation AND state = 'frozen';
    GET DIAGNOSTICS n = ROW_COUNT;
    UPDATE move SET superseded_by = NULL WHERE superseded_by = p_move;
  END IF;
  UPDATE move SET phase = p_to, phase_since = clock_timestamp(),
         verified_attempt = CASE p_to WHEN 'VERIFIED' THEN attempt ELSE verified_attempt END,
         lease_until = CASE WHEN p_to IN ('RETAINED', 'DONE', 'ABORTED') THEN clock_timestamp() ELSE lease(p_lease_ms) END
   WHERE id = p_move;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail) VALUES (p_move, p_to, p_epoch, p_attempt, p_detail::jsonb);
  IF n = 1 THEN
    PERFORM record_change(m.tenant_id, m.source, m.generation,
      CASE p_to WHEN 'FREEZING' THEN 'freeze' ELSE 'thaw' END, m.id, m.lease_owner);
  END IF;
  RETURN 'done';
END $f$;

-- A retained move has a lease only while somebody cleans it; the mover that has just finished must not take one. Zero
-- milliseconds give a lease back.
CREATE OR REPLACE FUNCTION homeshard.renew_move(p_move uuid, p_epoch bigint, p_attempt int, p_lease_ms bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF m.phase IN ('DONE', 'ABORTED') OR (m.phase = 'RETAINED' AND m.lease_until <= clock_timestamp()) THEN
    RETURN 'refused: the phase is ' || m.phase;
  END IF;
  UPDATE move SET lease_until = lease(p_lease_ms) WHERE id = p_move;
  RETURN 'done';
END $f$;

-- How far the copy is, for whoever asks. Nothing depends on it, so a mover that is not the move's any more is only told.
CREATE OR REPLACE FUNCTION homeshard.progress_move(
  p_move uuid, p_epoch bigint, p_attempt int, p_rows bigint, p_bytes bigint, p_expected_rows bigint,
  p_expected_bytes bigint, p_complete boolean, p_elapsed_ms bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE why text;
BEGIN
  PERFORM begin_step();
  SELECT ticket_problem(m, p_epoch, p_attempt) INTO why FROM move m WHERE m.id = p_move;
  IF NOT FOUND OR why IS NOT NULL THEN RETURN 'refused: ' || coalesce(why, 'unknown move'); END IF;
  INSERT INTO move_progress AS o (move_id, attempt, rows, bytes, expected_rows, expected_bytes, complete, elapsed_ms, at)
  VALUES (p_move, p_attempt, p_rows, p_bytes, p_expected_rows, p_expected_bytes, p_complete, p_elapsed_ms, clock_timestamp())
  ON CONFLICT (move_id) DO UPDATE
    SET attempt = excluded.attempt, rows = excluded.rows, bytes = excluded.bytes, expected_rows = excluded.expected_rows,
        expected_bytes = excluded.expected_bytes, complete = excluded.complete, elapsed_ms = excluded.elapsed_ms,
        at = excluded.at
  WHERE o.attempt <= excluded.attempt;
  RETURN 'done';
END $f$;

-- The commit point of a move.
CREATE OR REPLACE FUNCTION homeshard.flip_move(p_move uuid, p_epoch bigint, p_attempt int) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;     -- from here on neither take-over nor cancel can come between
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF m.phase IN ('FLIPPED', 'ACTIVATED', 'RETAINED', 'CLEANING', 'DONE') THEN RETURN 'already done'; END IF;
  IF m.phase <> 'VERIFIED' THEN RETURN 'refused: the phase is ' || m.phase || ', not VERIFIED'; END IF;
  IF m.verified_attempt IS DISTINCT FROM m.attempt THEN
    RETURN 'refused: attempt ' || m.attempt || ' was not verified (verified=' || coalesce(m.verified_attempt::text, 'none') || ')';
  END IF;
  IF m.lease_until <= clock_timestamp() THEN RETURN 'refused: the lease has run out'; END IF;
  why := window_problem(NULL, m.not_after);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  UPDATE placement SET shard_id = m.target, generation = m.generation + 1, state = 'active'
   WHERE tenant_id = m.tenant_id AND shard_id = m.source AND generation = m.generation AND state = 'frozen';
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n <> 1 THEN RETURN 'refused: the placement is not frozen on shard ' || m.source || ' at generation ' || m.generation; END IF;
  UPDATE move SET phase = 'FLIPPED', phase_since = clock_timestamp() WHERE id = p_move;
  INSERT INTO move_step (move_id, phase, epoch, attempt) VALUES (p_move, 'FLIPPED', p_epoch, p_attempt);
  PERFORM record_change(m.tenant_id, m.source, m.generation + 1, 'flip', m.id, m.lease_owner);
  RETURN 'done';
END $f$;

-- For a recoverer that found the source 'moved' by this move: the directory has lost a flip that was committed once.
DROP FUNCTION IF EXISTS homeshard.redo_flip(uuid, bigint, int);
CREATE OR REPLACE FUNCTION homeshard.redo_flip(p_move uuid, p_epoch bigint, p_attempt int, p_detail text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  IF m.phase IN ('FLIPPED', 'ACTIVATED', 'RETAINED', 'CLEANING', 'DONE') THEN RETURN 'already done'; END IF;
  IF m.phase = 'ABORTED' THEN RETURN 'refused: the phase is ABORTED'; END IF;
  UPDATE placement SET shard_id = m.target, generation = m.generation + 1, state = 'active'
   WHERE tenant_id = m.tenant_id AND shard_id = m.source AND generation = m.generation AND state IN ('active', 'frozen');
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n <> 1 THEN RETURN 'refused: the placement is not on shard ' || m.source || ' at generation ' || m.generation; END IF;
  UPDATE move SET phase = 'FLIPPED', phase_since = clock_timestamp() WHERE id = p_move;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (p_move, 'FLIPPED', p_epoch, p_attempt, p_detail::jsonb || jsonb_build_object('redone', true, 'from', m.phase));
  PERFORM record_change(m.tenant_id, m.source, m.generation + 1, 'redo flip', m.id, m.lease_owner);
  RETURN 'done';
END $f$;

-- ABORTING ends the attempt: no step leads from it to any phase but ABORTED (or FLIPPED, by redo_flip).
CREATE OR REPLACE FUNCTION homeshard.abort_move(p_move uuid, p_epoch bigint, p_attempt int, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; why text;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  why := ticket_problem(m, p_epoch, p_attempt);
  IF why IS NOT NULL THEN RETURN 'refused: ' || why; END IF;
  RETURN set_aborting(m, p_reason);
END $f$;

CREATE OR REPLACE FUNCTION homeshard.cancel_move(p_move uuid, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  IF NOT FOUND THEN RETURN 'refused: unknown move'; END IF;
  RETURN set_aborting(m, p_reason);
END $f$;

-- The caller has locked the row.
CREATE OR REPLACE FUNCTION homeshard.set_aborting(m homeshard.move, p_reason text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  IF m.phase IN ('ABORTING', 'ABORTED') THEN RETURN 'already done'; END IF;
  IF NOT before_flip(m.phase) THEN RETURN 'refused: the move has flipped (phase=' || m.phase || ')'; END IF;
  UPDATE move SET phase = 'ABORTING', phase_since = clock_timestamp(), reason = p_reason WHERE id = m.id;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (m.id, 'ABORTING', m.epoch, m.attempt, jsonb_build_object('from', m.phase));
  RETURN 'done';
END $f$;

-- No row: the lease is held, or the move needs nobody.
CREATE OR REPLACE FUNCTION homeshard.take_over_move(p_move uuid, p_owner text, p_lease_ms bigint, p_force boolean)
RETURNS SETOF homeshard.move LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  IF NOT FOUND OR m.phase IN ('DONE', 'ABORTED')
     OR (m.phase IN ('RETAINED', 'CLEANING') AND m.superseded_by IS NOT NULL) THEN RETURN; END IF;
  IF m.lease_until > clock_timestamp() AND NOT p_force THEN RETURN; END IF;
  UPDATE move SET epoch = nextval('mover_epoch'), lease_owner = p_owner, lease_until = lease(p_lease_ms),
         attempt = CASE WHEN before_flip(phase) THEN attempt + 1 ELSE attempt END
   WHERE id = p_move RETURNING * INTO m;
  INSERT INTO move_step (move_id, phase, epoch, attempt, detail)
  VALUES (m.id, m.phase, m.epoch, m.attempt, jsonb_build_object('takenOver', true));
  RETURN NEXT m;
END $f$;

CREATE OR REPLACE FUNCTION homeshard.report_move(p_move uuid, p_report text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  UPDATE move SET report = report || p_report::jsonb WHERE id = p_move;
  IF FOUND THEN RETURN 'done'; END IF;
  RETURN 'refused: unknown move';
END $f$;

-- Appends to the tenant's chain: the caller has made the text with the hash of the last link in it.
CREATE OR REPLACE FUNCTION homeshard.certify_move(p_move uuid, p_previous text, p_body text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE m move%ROWTYPE; l move_certificate%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO m FROM move WHERE id = p_move FOR UPDATE;
  IF NOT FOUND THEN RETURN 'refused: unknown move'; END IF;
  IF EXISTS (SELECT FROM move_certificate c WHERE c.move_id = p_move) THEN RETURN 'already done'; END IF;
  IF m.phase NOT IN ('RETAINED', 'CLEANING', 'DONE') THEN RETURN 'refused: the phase is ' || m.phase; END IF;
  SELECT * INTO l FROM move_certificate c WHERE c.tenant_id = m.tenant_id ORDER BY c.number DESC LIMIT 1;
  IF l.hash IS DISTINCT FROM p_previous THEN RETURN 'refused: the chain has grown, or ends elsewhere'; END IF;
  INSERT INTO move_certificate (move_id, tenant_id, number, previous, hash, body)
  VALUES (p_move, m.tenant_id, coalesce(l.number, 0) + 1, p_previous, encode(sha256(convert_to(p_body, 'UTF8')), 'hex'), p_body);
  RETURN 'done';
EXCEPTION WHEN unique_violation THEN
  RETURN 'refused: the chain has grown, or ends elsewhere';
END $f$;
