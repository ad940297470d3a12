-- Steps that only a person may order, and those that mend what a restore or a fail-over has left. Same rules and order of
-- locks as the steps of a move; take_over() comes first and gives the row the caller's epoch.

-- Source of a move that goes back: frozen or moved by it, to owned, at the generation that the directory gave it. Opening
-- takes no tenant lock. The row's own generation is part of the condition: what was reopened before is not reopened again.
CREATE OR REPLACE FUNCTION homeshard.reopen(tenant text, generation bigint, move uuid, epoch bigint, attempt int,
  new_generation bigint) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  IF ($6 > $2) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: new_generation must be > %, was %', $2, $6 USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM homeshard.pass_fence($1, $4, false);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $6 AND r.move_id = $3 THEN
    RETURN 'already done';
  END IF;
  IF r.state IN ('frozen', 'moved') AND r.generation = $2 AND r.move_id = $3 AND r.mover_epoch = $4 AND r.attempt = $5 THEN
    UPDATE homeshard.ownership o SET state = 'owned', generation = $6, moved_to = NULL, verified_attempt = NULL
     WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- A shard that owns the tenant at a generation that is over, because it was restored or has failed over: moved. Its rows
-- stay, under a name of their own: they are no move's old rows any more. Waits for the tenant's writers as a freeze does.
CREATE OR REPLACE FUNCTION homeshard.disown(tenant text, generation bigint, move uuid, epoch bigint, moved_to text,
  lock_timeout_ms int) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  PERFORM homeshard.refuse_older($1, $4);
  PERFORM set_config('lock_timeout', $6 || 'ms', true);
  PERFORM pg_advisory_xact_lock_shared(4711, 1);
  PERFORM pg_advisory_xact_lock(hashtextextended($1, 4711));
  PERFORM homeshard.pass_fence($1, $4, false);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $2 THEN
    PERFORM homeshard.number_closing();
    UPDATE homeshard.ownership o SET state = 'moved', moved_to = $5, move_id = $3, mover_epoch = $4,
           attempt = COALESCE(r.attempt, 1) WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  IF r.state = 'moved' AND r.generation = $2 AND r.moved_to = $5 THEN
    RETURN 'already done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- In the caller's transaction, on the shard that owns the tenant: nobody else writes for it until the transaction ends, and
-- no move begins. The caller writes as any owner's writer does; the guard is not told anything.
CREATE OR REPLACE FUNCTION homeshard.hold_tenant(tenant text, generation bigint, epoch bigint, lock_timeout_ms int)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership; before text := current_setting('lock_timeout');
BEGIN
  PERFORM homeshard.refuse_older($1, $3);
  PERFORM set_config('lock_timeout', $4 || 'ms', true);
  PERFORM pg_advisory_xact_lock(hashtextextended($1, 4711));
  PERFORM homeshard.pass_fence($1, $3, false);
  PERFORM set_config('lock_timeout', before, true);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $2 THEN
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, NULL);
END $f$;

SELECT homeshard.close_functions();
