-- Steps of creating a tenant: a move without a source. Each locks the journal's row first, then the placement, then the
-- map version.

-- Answers 'done', 'already done' (the same operation) or 'refused: why'; with the operation unless refused.
CREATE OR REPLACE FUNCTION homeshard.begin_create(p_tenant text, p_shard text, p_operation uuid, p_lease_ms bigint)
RETURNS TABLE (answer text, generation bigint, epoch bigint, committed boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
#variable_conflict use_column
DECLARE o provisioning%ROWTYPE; s text; g bigint;
BEGIN
  PERFORM begin_step();
  SELECT * INTO o FROM provisioning WHERE operation = p_operation FOR UPDATE;
  IF FOUND THEN
    IF o.tenant_id = p_tenant AND o.shard_id = p_shard THEN
      RETURN QUERY SELECT 'already done', o.generation, o.epoch, o.committed;
    ELSE
      RETURN QUERY SELECT 'refused: the operation id is in use', 0::bigint, 0::bigint, false;
    END IF;
    RETURN;
  END IF;
  -- locked: whoever sets the shard to draining sees this tenant afterwards, or this call sees the new status
  SELECT status INTO s FROM shard WHERE shard_id = p_shard FOR SHARE;
  IF s IS DISTINCT FROM 'active' THEN
    RETURN QUERY SELECT 'refused: the shard takes no new tenants (status=' || coalesce(s, 'unknown') || ')', 0::bigint, 0::bigint, false;
    RETURN;
  END IF;
  INSERT INTO placement (tenant_id, shard_id, generation, state, map_version)
  VALUES (p_tenant, p_shard, 1, 'provisioning', 0) ON CONFLICT (tenant_id) DO NOTHING;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'refused: exists', 0::bigint, 0::bigint, false;
    RETURN;
  END IF;
  -- A statement of its own, after the insert: it sees every earlier life of the tenant. A generation never restarts.
  SELECT coalesce(max(h.generation), 0) + 1 INTO g FROM placement_history h WHERE h.tenant_id = p_tenant;
  UPDATE placement SET generation = g WHERE tenant_id = p_tenant;
  INSERT INTO provisioning (operation, tenant_id, shard_id, generation, epoch, lease_until)
  VALUES (p_operation, p_tenant, p_shard, g, nextval('mover_epoch'), lease(p_lease_ms)) RETURNING * INTO o;
  PERFORM record_change(p_tenant, NULL, g, 'create begun', p_operation, actor());
  RETURN QUERY SELECT 'done', o.generation, o.epoch, o.committed;
END $f$;

-- Whether the history knows a step of an operation whose journal row is gone.
CREATE OR REPLACE FUNCTION homeshard.has_happened(p_operation uuid, p_reason text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, homeshard, pg_temp AS
$f$ SELECT EXISTS (SELECT FROM placement_history WHERE move_id = p_operation AND reason = p_reason) $f$;

CREATE OR REPLACE FUNCTION homeshard.commit_create(p_operation uuid, p_epoch bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE o provisioning%ROWTYPE; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO o FROM provisioning WHERE operation = p_operation FOR UPDATE;
  IF NOT FOUND THEN
    RETURN CASE WHEN has_happened(p_operation, 'create committed') THEN 'already done' ELSE 'refused: the operation was undone' END;
  END IF;
  IF o.epoch <> p_epoch THEN
    RETURN 'refused: another has the operation (epoch=' || o.epoch || ', came with ' || p_epoch || ')';
  END IF;
  IF o.committed THEN RETURN 'already done'; END IF;
  UPDATE placement SET state = 'active'
   WHERE tenant_id = o.tenant_id AND shard_id = o.shard_id AND generation = o.generation AND state = 'provisioning';
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n <> 1 THEN RETURN 'refused: the placement is not provisioning at generation ' || o.generation; END IF;
  UPDATE provisioning SET committed = true WHERE operation = p_operation;
  PERFORM record_change(o.tenant_id, NULL, o.generation, 'create committed', p_operation, actor());
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.end_create(p_operation uuid, p_epoch bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE o provisioning%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO o FROM provisioning WHERE operation = p_operation FOR UPDATE;
  IF NOT FOUND THEN
    RETURN CASE WHEN has_happened(p_operation, 'create committed') THEN 'already done' ELSE 'refused: the operation was undone' END;
  END IF;
  IF o.epoch <> p_epoch THEN
    RETURN 'refused: another has the operation (epoch=' || o.epoch || ', came with ' || p_epoch || ')';
  END IF;
  IF NOT o.committed THEN RETURN 'refused: the operation is not committed'; END IF;
  DELETE FROM provisioning WHERE operation = p_operation;
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.undo_create(p_operation uuid, p_epoch bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE o provisioning%ROWTYPE; n int;
BEGIN
  PERFORM begin_step();
  SELECT * INTO o FROM provisioning WHERE operation = p_operation FOR UPDATE;
  IF NOT FOUND THEN
    RETURN CASE WHEN has_happened(p_operation, 'create undone') THEN 'already done' ELSE 'refused: the operation is over' END;
  END IF;
  IF o.epoch <> p_epoch THEN
    RETURN 'refused: another has the operation (epoch=' || o.epoch || ', came with ' || p_epoch || ')';
  END IF;
  IF o.committed THEN RETURN 'refused: the operation is committed'; END IF;
  DELETE FROM provisioning WHERE operation = p_operation;
  DELETE FROM placement
   WHERE tenant_id = o.tenant_id AND shard_id = o.shard_id AND generation = o.generation AND state = 'provisioning';
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n = 1 THEN                                   -- else another hand removed it, and wrote its own history
    PERFORM record_change(o.tenant_id, o.shard_id, o.generation, 'create undone', p_operation, actor());
  END IF;
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.leave_create(p_operation uuid, p_epoch bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE o provisioning%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO o FROM provisioning WHERE operation = p_operation FOR UPDATE;
  IF NOT FOUND THEN RETURN 'already done'; END IF;
  IF o.epoch <> p_epoch THEN
    RETURN 'refused: another has the operation (epoch=' || o.epoch || ', came with ' || p_epoch || ')';
  END IF;
  UPDATE provisioning SET lease_until = least(lease_until, clock_timestamp()) WHERE operation = p_operation;
  RETURN 'done';
END $f$;

-- Operations whose lease has run out, each under a new epoch. Those that another repairer is taking are left to it.
CREATE OR REPLACE FUNCTION homeshard.take_over_creates(p_lease_ms bigint) RETURNS SETOF homeshard.provisioning
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  RETURN QUERY
    WITH due AS (SELECT operation FROM provisioning WHERE lease_until <= clock_timestamp()
                  ORDER BY started_at FOR UPDATE SKIP LOCKED)
    UPDATE provisioning o SET epoch = nextval('mover_epoch'), lease_until = lease(p_lease_ms)
      FROM due WHERE o.operation = due.operation
    RETURNING o.*;
END $f$;
