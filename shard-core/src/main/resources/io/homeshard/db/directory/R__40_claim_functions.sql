-- Values that are unique over all tenants.

-- A claim is made once; the same owner may repeat it, which renews the expiry of a pending one. Nothing here removes the
-- claim of somebody else, not even an expired one: only its owner's shard knows whether the value is in use.
-- p_ttl_ms null: confirmed at once.
CREATE OR REPLACE FUNCTION homeshard.make_claim(
  p_namespace text, p_value text, p_tenant text, p_owner text, p_ttl_ms bigint) RETURNS SETOF homeshard.claim
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
BEGIN
  PERFORM begin_step();
  RETURN QUERY
    INSERT INTO claim AS c (namespace, value, tenant_id, owner_ref, state, expires_at)
    VALUES (p_namespace, p_value, p_tenant, p_owner,
            CASE WHEN p_ttl_ms IS NULL THEN 'confirmed' ELSE 'pending' END, lease(p_ttl_ms))
    ON CONFLICT (namespace, value) DO UPDATE
      SET state = CASE WHEN c.state = 'confirmed' THEN 'confirmed' ELSE excluded.state END,
          expires_at = CASE WHEN c.state = 'confirmed' THEN NULL ELSE excluded.expires_at END
      WHERE c.tenant_id = excluded.tenant_id AND c.owner_ref = excluded.owner_ref
    RETURNING c.*;
  IF NOT FOUND THEN
    RETURN QUERY SELECT c.* FROM claim c WHERE c.namespace = p_namespace AND c.value = p_value;
  END IF;
END $f$;

CREATE OR REPLACE FUNCTION homeshard.confirm_claim(p_namespace text, p_value text, p_tenant text, p_owner text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE c claim%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO c FROM claim WHERE namespace = p_namespace AND value = p_value FOR UPDATE;
  IF NOT FOUND THEN RETURN 'refused: no such claim'; END IF;
  IF c.tenant_id <> p_tenant OR c.owner_ref <> p_owner THEN RETURN 'refused: another owner has the claim'; END IF;
  IF c.state = 'confirmed' THEN RETURN 'already done'; END IF;
  UPDATE claim SET state = 'confirmed', expires_at = NULL WHERE namespace = p_namespace AND value = p_value;
  RETURN 'done';
END $f$;

CREATE OR REPLACE FUNCTION homeshard.release_claim(p_namespace text, p_value text, p_tenant text, p_owner text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE c claim%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO c FROM claim WHERE namespace = p_namespace AND value = p_value FOR UPDATE;
  IF NOT FOUND THEN RETURN 'already done'; END IF;
  IF c.tenant_id <> p_tenant OR c.owner_ref <> p_owner THEN RETURN 'refused: another owner has the claim'; END IF;
  DELETE FROM claim WHERE namespace = p_namespace AND value = p_value;
  RETURN 'done';
END $f$;

-- Removes a claim that nobody confirmed in time; the caller has looked at the owner's shard.
CREATE OR REPLACE FUNCTION homeshard.drop_expired_claim(p_namespace text, p_value text, p_tenant text, p_owner text) RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, homeshard, pg_temp AS $f$
DECLARE c claim%ROWTYPE;
BEGIN
  PERFORM begin_step();
  SELECT * INTO c FROM claim WHERE namespace = p_namespace AND value = p_value FOR UPDATE;
  IF NOT FOUND THEN RETURN 'already done'; END IF;
  IF c.tenant_id <> p_tenant OR c.owner_ref <> p_owner THEN RETURN 'refused: another owner has the claim'; END IF;
  IF c.state = 'confirmed' THEN RETURN 'refused: confirmed meanwhile'; END IF;
  IF c.expires_at > clock_timestamp() THEN RETURN 'refused: renewed meanwhile'; END IF;
  DELETE FROM claim WHERE namespace = p_namespace AND value = p_value;
  RETURN 'done';
END $f$;
