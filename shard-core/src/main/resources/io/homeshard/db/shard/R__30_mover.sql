-- Steps of a move (and of the creation of a tenant, whose operation id stands where a move's id stands). Each is one
-- call in autocommit and answers 'done', 'already done' or 'refused: why', so that a call repeated after a lost answer
-- tells the truth. An older mover gets HS004.
--
-- Order of locks, the same everywhere: declared tables, maintenance key, tenant's key, row of mover_fence, row of
-- ownership. All steps of one tenant on one shard queue at its mover_fence row.

CREATE OR REPLACE FUNCTION homeshard.durable() RETURNS void LANGUAGE plpgsql AS $f$
DECLARE s pg_catalog.text := pg_catalog.set_config('synchronous_commit', 'on', true);
BEGIN
END $f$;

-- Passes the tenant's fence with an epoch, or raises HS004. Until the transaction ends no other step of the tenant
-- passes. Steps that take a tenant (freeze, reserve) are refused to an epoch that has given up: without that a freeze
-- under way when its mover thaws would land after the thaw, and nobody would thaw again.
CREATE OR REPLACE FUNCTION homeshard.pass_fence(p_tenant text, p_epoch bigint, p_takes boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
DECLARE ended boolean;
BEGIN
  PERFORM homeshard.durable();
  INSERT INTO homeshard.mover_fence AS f (tenant_id, epoch) VALUES (p_tenant, p_epoch)
  ON CONFLICT (tenant_id) DO UPDATE SET epoch = excluded.epoch, given_up = f.given_up AND f.epoch = excluded.epoch
   WHERE f.epoch <= excluded.epoch
  RETURNING f.given_up INTO ended;
  IF NOT FOUND THEN
    PERFORM homeshard.refuse_older(p_tenant, p_epoch);
    RAISE EXCEPTION 'homeshard: mover is out of date (epoch=%)', p_epoch USING ERRCODE = 'HS004';
  END IF;
  IF ended AND p_takes THEN
    RAISE EXCEPTION 'homeshard: mover has given up before (epoch=%)', p_epoch USING ERRCODE = 'HS004';
  END IF;
END $f$;

-- The same question as a plain read, for whoever is about to wait.
CREATE OR REPLACE FUNCTION homeshard.refuse_older(p_tenant text, p_epoch bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
DECLARE f homeshard.mover_fence;
BEGIN
  SELECT * INTO f FROM homeshard.mover_fence x WHERE x.tenant_id = p_tenant;
  IF f.epoch > p_epoch THEN
    RAISE EXCEPTION 'homeshard: mover is out of date (epoch=%, newest=%)', p_epoch, f.epoch USING ERRCODE = 'HS004';
  END IF;
END $f$;

CREATE OR REPLACE FUNCTION homeshard.give_up(p_tenant text, p_epoch bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
  PERFORM homeshard.pass_fence(p_tenant, p_epoch, false);
  UPDATE homeshard.mover_fence f SET given_up = true WHERE f.tenant_id = p_tenant;
END $f$;

-- A refusal that says how things stand, without naming tenant or move.
CREATE OR REPLACE FUNCTION homeshard.refused(p_row homeshard.ownership, p_move uuid) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $f$
  SELECT 'refused: ' || CASE WHEN (p_row).tenant_id IS NULL THEN 'the shard has no row of the tenant'
    ELSE format('the shard has it %s at generation %s%s', (p_row).state, (p_row).generation,
                CASE WHEN (p_row).move_id = p_move
                     THEN format(' by this move (epoch=%s, attempt=%s)', (p_row).mover_epoch, (p_row).attempt)
                     WHEN (p_row).move_id IS NULL THEN ''
                     ELSE format(' by another move (epoch=%s)', (p_row).mover_epoch) END) END
$f$;

CREATE OR REPLACE FUNCTION homeshard.take_over(tenant text, move uuid, epoch bigint, attempt int) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE known bigint; n int;
BEGIN
  SELECT f.epoch INTO known FROM homeshard.mover_fence f WHERE f.tenant_id = $1;
  PERFORM homeshard.pass_fence($1, $3, false);                    -- waits for open transactions of the older mover
  UPDATE homeshard.ownership o SET mover_epoch = $3, attempt = $4
   WHERE o.tenant_id = $1 AND o.move_id = $2 AND o.state <> 'owned' AND (o.mover_epoch <> $3 OR o.attempt <> $4);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN CASE WHEN n = 0 AND known = $3 THEN 'already done' ELSE 'done' END;
END $f$;

-- Target: an incoming row. Replaces its own move's, or a moved row of lower generation, which release() brings back.
CREATE OR REPLACE FUNCTION homeshard.reserve(tenant text, generation bigint, move uuid, epoch bigint, attempt int)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership; folding regclass;
BEGIN
  -- Two spellings that are one value in a table would be two tenants in the directory, each taking the other's rows.
  IF $1 <> lower($1) THEN
    SELECT t.tab INTO folding FROM homeshard.tenant_relations() t
      JOIN pg_attribute a ON a.attrelid = t.tab AND a.attname = t.tenant_column
      JOIN pg_type y ON y.oid = homeshard.base_type(a.atttypid) AND y.typname = 'citext' LIMIT 1;
    IF folding IS NOT NULL THEN
      RETURN format('refused: the name must be lower case, table %s folds it (citext)', folding);
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(4711, 1);
  PERFORM homeshard.pass_fence($1, $4, true);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.tenant_id IS NULL THEN
    INSERT INTO homeshard.ownership (tenant_id, generation, state, move_id, mover_epoch, attempt)
    VALUES ($1, $2, 'incoming', $3, $4, $5);
    RETURN 'done';
  END IF;
  IF r.state = 'incoming' AND r.move_id = $3 AND r.generation = $2 AND r.attempt <= $5 THEN
    IF r.mover_epoch = $4 AND r.attempt = $5 THEN
      RETURN 'already done';
    END IF;
    UPDATE homeshard.ownership o SET mover_epoch = $4, attempt = $5 WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  IF r.state = 'moved' AND r.generation < $2 THEN
    UPDATE homeshard.ownership o
       SET state = 'incoming', generation = $2, move_id = $3, mover_epoch = $4, attempt = $5, verified_attempt = NULL,
           moved_to = NULL, replaced_generation = r.generation, replaced_move = r.move_id, replaced_moved_to = r.moved_to
     WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- In the caller's transaction: nobody changes a declared table or its triggers until it ends; writers go on. A script
-- that has changed something and is still open is waited for. The lock covers what is below each table.
CREATE OR REPLACE FUNCTION homeshard.hold_tables(lock_timeout_ms int) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE r regclass; before text := current_setting('lock_timeout');
BEGIN
  IF ($1 > 0) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: lock_timeout_ms must be > 0, was %', $1 USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM set_config('lock_timeout', $1 || 'ms', true);
  LOCK TABLE homeshard.ownership IN ROW EXCLUSIVE MODE;           -- its triggers are part of the guard
  FOR r IN SELECT t.tab FROM homeshard.tenant_relations() t JOIN pg_class c ON c.oid = t.tab
            WHERE t.root AND c.relkind IN ('r', 'p') ORDER BY t.tab LOOP
    EXECUTE format('LOCK TABLE %s IN ROW EXCLUSIVE MODE', r);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $f$;

-- Raises HS006, naming tables, unless the guard is as declared.
CREATE OR REPLACE FUNCTION homeshard.refuse_gaps() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE gaps text; n int;
BEGIN
  SELECT string_agg(u.tab || ' ' || u.problem, '; ') FILTER (WHERE u.nr <= 10), count(*) INTO gaps, n
    FROM (SELECT x.tab, x.problem, row_number() OVER (ORDER BY x.tab) AS nr FROM homeshard.unguarded() x) u;
  IF n > 0 THEN
    RAISE EXCEPTION 'homeshard: guard is not complete (tables=%): %', n, gaps USING ERRCODE = 'HS006',
      HINT = 'Install the guard again.';
  END IF;
END $f$;

-- Source: one attempt; 55P03 means busy: back off and try again. READ COMMITTED only, since each check must see what was
-- committed while the lock before it was waited for. The fence is passed last: only then is it certain that no newer
-- mover has decided while this one waited.
CREATE OR REPLACE FUNCTION homeshard.freeze(tenant text, generation bigint, move uuid, epoch bigint, attempt int,
  lock_timeout_ms int) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'homeshard: freeze needs READ COMMITTED, was %', current_setting('transaction_isolation')
      USING ERRCODE = 'HS005';
  END IF;
  PERFORM homeshard.refuse_older($1, $4);
  PERFORM homeshard.hold_tables($6);
  PERFORM homeshard.refuse_gaps();
  PERFORM set_config('lock_timeout', $6 || 'ms', true);
  PERFORM pg_advisory_xact_lock_shared(4711, 1);
  PERFORM pg_advisory_xact_lock(hashtextextended($1, 4711));
  PERFORM homeshard.pass_fence($1, $4, true);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $2 THEN
    PERFORM homeshard.number_closing();                           -- whatever has become of the trigger that does it
    UPDATE homeshard.ownership o SET state = 'frozen', move_id = $3, mover_epoch = $4, attempt = $5,
           verified_attempt = NULL WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  IF r.state = 'frozen' AND r.generation = $2 AND r.move_id = $3 AND r.mover_epoch = $4 AND r.attempt = $5 THEN
    RETURN 'already done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- Source: owned again, whichever epoch of the move froze it. Takes no tenant lock: opening excludes nobody, and waiting
-- behind refused writers would only prolong the outage. Keeps move and epoch in the row as evidence.
CREATE OR REPLACE FUNCTION homeshard.unfreeze(tenant text, generation bigint, move uuid, epoch bigint) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  PERFORM homeshard.give_up($1, $4);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $2 THEN
    RETURN 'already done';
  END IF;
  IF r.state = 'frozen' AND r.generation = $2 AND r.move_id = $3 THEN
    UPDATE homeshard.ownership o SET state = 'owned', mover_epoch = $4 WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- Target: the rows of this attempt were compared and are complete.
CREATE OR REPLACE FUNCTION homeshard.mark_verified(tenant text, generation bigint, move uuid, epoch bigint, attempt int)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  PERFORM homeshard.pass_fence($1, $4, false);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'incoming' AND r.generation = $2 AND r.move_id = $3 AND r.mover_epoch = $4 AND r.attempt = $5 THEN
    IF r.verified_attempt = $5 THEN
      RETURN 'already done';
    END IF;
    UPDATE homeshard.ownership o SET verified_attempt = $5 WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- Source: frozen to moved. The row keeps its generation.
CREATE OR REPLACE FUNCTION homeshard.mark_moved(tenant text, generation bigint, move uuid, epoch bigint, attempt int,
  moved_to text) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  PERFORM homeshard.pass_fence($1, $4, false);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'frozen' AND r.generation = $2 AND r.move_id = $3 AND r.mover_epoch = $4 AND r.attempt = $5 THEN
    UPDATE homeshard.ownership o SET state = 'moved', moved_to = $6 WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  IF r.state = 'moved' AND r.generation = $2 AND r.move_id = $3 AND r.moved_to = $6 THEN
    RETURN 'already done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- Target: incoming to owned. Demands the marker of this attempt: a server that lost rows in a fail-over lost it too.
CREATE OR REPLACE FUNCTION homeshard.activate(tenant text, generation bigint, move uuid, epoch bigint, attempt int)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership;
BEGIN
  PERFORM homeshard.pass_fence($1, $4, false);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.state = 'owned' AND r.generation = $2 AND r.move_id = $3 THEN
    RETURN 'already done';
  END IF;
  IF r.state = 'incoming' AND r.generation = $2 AND r.move_id = $3 AND r.mover_epoch = $4 AND r.attempt = $5 THEN
    IF (r.verified_attempt = $5) IS NOT TRUE THEN
      RETURN format('refused: its rows were not verified (attempt=%s, verified=%s)', $5,
                    COALESCE(r.verified_attempt::text, 'none'));
    END IF;
    UPDATE homeshard.ownership o
       SET state = 'owned', replaced_generation = NULL, replaced_move = NULL, replaced_moved_to = NULL
     WHERE o.tenant_id = $1;
    RETURN 'done';
  END IF;
  RETURN homeshard.refused(r, $3);
END $f$;

-- The first declared table that still has rows of the tenant, or null.
CREATE OR REPLACE FUNCTION homeshard.table_with_rows(p_tenant text) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE r record; found_one boolean;
BEGIN
  PERFORM set_config('row_security', 'off', true);                -- a policy that hid rows would make this lie
  FOR r IN SELECT CASE WHEN c.relkind = 'r' THEN 'ONLY ' ELSE '' END || t.tab AS rows, t.tab, t.tenant_column
             FROM homeshard.tenant_relations() t JOIN pg_class c ON c.oid = t.tab
            WHERE t.root OR NOT c.relispartition ORDER BY t.tab LOOP
    IF homeshard.tenant_fits(r.tab, r.tenant_column, p_tenant) THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s x WHERE %s)', r.rows,
                     homeshard.tenant_condition(r.tab, r.tenant_column)) INTO found_one USING p_tenant;
      IF found_one THEN
        RETURN r.tab::text;
      END IF;
    END IF;
  END LOOP;
  RETURN NULL;
END $f$;

-- Target: gives the reservation up, once the rows are gone. A moved row that it had replaced comes back.
CREATE OR REPLACE FUNCTION homeshard.release(tenant text, generation bigint, move uuid, epoch bigint, attempt int)
RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE r homeshard.ownership; full_table text;
BEGIN
  PERFORM homeshard.give_up($1, $4);
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1;
  IF r.tenant_id IS NULL OR (r.state = 'moved' AND r.generation < $2) THEN
    RETURN 'already done';
  END IF;
  IF NOT (r.state = 'incoming' AND r.generation = $2 AND r.move_id = $3) THEN
    RETURN homeshard.refused(r, $3);
  END IF;
  full_table := homeshard.table_with_rows($1);
  IF full_table IS NOT NULL THEN
    RETURN format('refused: table %s still has rows of the tenant', full_table);
  END IF;
  PERFORM set_config(homeshard.pass_slot($1), '', true);          -- of a mover that goes on in this transaction
  IF r.replaced_generation IS NULL THEN
    DELETE FROM homeshard.ownership o WHERE o.tenant_id = $1;
  ELSE
    UPDATE homeshard.ownership o
       SET state = 'moved', generation = r.replaced_generation, move_id = COALESCE(r.replaced_move, $3), mover_epoch = $4,
           moved_to = r.replaced_moved_to, verified_attempt = NULL, replaced_generation = NULL, replaced_move = NULL,
           replaced_moved_to = NULL
     WHERE o.tenant_id = $1;
  END IF;
  RETURN 'done';
END $f$;

-- In the caller's transaction: the guard lets this mover write its own tenant until the transaction ends (incoming:
-- everything, moved: DELETE). Keeps a share of the fence, so that a successor's take_over waits for this transaction.
CREATE OR REPLACE FUNCTION homeshard.enter_mover(tenant text, move uuid, epoch bigint) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE known bigint; r homeshard.ownership;
BEGIN
  PERFORM homeshard.durable();
  PERFORM pg_advisory_xact_lock_shared(hashtextextended($1, 4711));
  SELECT f.epoch INTO known FROM homeshard.mover_fence f WHERE f.tenant_id = $1 FOR SHARE;
  IF (known = $3) IS NOT TRUE THEN
    PERFORM homeshard.pass_fence($1, $3, false);
  END IF;
  SELECT * INTO r FROM homeshard.ownership o WHERE o.tenant_id = $1 FOR SHARE;
  IF (r.move_id = $2 AND r.mover_epoch = $3) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: the shard does not hold the tenant for this mover (epoch=%)', $3 USING ERRCODE = 'HS004';
  END IF;
  IF r.state NOT IN ('incoming', 'moved') THEN
    RAISE EXCEPTION 'homeshard: mover may not write a tenant that is % here', r.state USING ERRCODE = 'HS004';
  END IF;
  PERFORM set_config('homeshard.mover', pg_current_xact_id()::text || '/' || $1, true);
  IF current_setting('homeshard.has_passes', true) = 'yes' THEN   -- from the session's earlier life, for other tenants
    PERFORM set_config(p.slot, '', true)
       FROM (SELECT 'homeshard.pass_' || to_hex(g) FROM generate_series(0, homeshard.pass_slots() - 1) g) p (slot)
      WHERE current_setting(p.slot, true) <> '';
  END IF;
  RETURN r.state;
END $f$;

-- Rows that would go, or change, with the tenant's rows of a table by a cascading foreign key although they are not the
-- tenant's: "table (constraint)", or null. A key that pairs the tenant columns cannot lead there. Where keys are not in
-- force (session_replication_role), any key counts: nothing else would keep a row from pointing into the void.
CREATE OR REPLACE FUNCTION homeshard.hangers_on(p_tab regclass, p_column name, p_tenant text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $f$
DECLARE k record; other boolean;
BEGIN
  FOR k IN
    SELECT c.conname, c.conrelid::regclass AS child, t.tenant_column AS child_column,
           (SELECT string_agg(format('x.%I OPERATOR(%I.%s) c.%I', p.attname, n.nspname, o.oprname, f.attname), ' AND ')
              FROM generate_subscripts(c.conkey, 1) i
              JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = c.conkey[i]
              JOIN pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = c.confkey[i]
              JOIN pg_operator o ON o.oid = c.conpfeqop[i] JOIN pg_namespace n ON n.oid = o.oprnamespace) AS joined
      FROM pg_constraint c LEFT JOIN homeshard.tenant_relations() t ON t.tab = c.conrelid
     WHERE c.contype = 'f' AND c.conparentid = 0
       AND (c.confrelid = p_tab OR c.confrelid IN (SELECT p.relid FROM pg_partition_tree(p_tab) p)) AND (c.confdeltype IN ('c', 'n', 'd') OR current_setting('session_replication_role') = 'replica')
       AND NOT EXISTS (SELECT FROM generate_subscripts(c.conkey, 1) i
                         JOIN pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = c.conkey[i]
                         JOIN pg_attribute p ON p.attrelid = c.confrelid AND p.attnum = c.confkey[i]
                        WHERE f.attname = t.tenant_column AND p.attname = p_column) LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s c JOIN %s x ON %s WHERE %s%s)', k.child, p_tab, k.joined,
                   homeshard.tenant_condition(p_tab, p_column),
                   CASE WHEN k.child_column IS NULL THEN ''
                        ELSE format(' AND (%s OPERATOR(pg_catalog.=) $1) IS NOT TRUE',
                                    homeshard.tenant_expr(k.child, k.child_column, 'c')) END)
      INTO other USING p_tenant;
    IF other THEN
      RETURN format('%s (%s)', k.child, k.conname);
    END IF;
  END LOOP;
  RETURN NULL;
END $f$;

-- Deletes at most max_rows rows of the tenant from a declared table, where the shard holds the tenant incoming or moved
-- by this move: from the table with its partitions, which is exactly what a copy of it reads. What inherits from it is a
-- table of its own, or was left out of the move and stays. Fewer than max_rows means that none are left. Relation by
-- relation, since a ctid means something in one relation only. Rows that refer to each other may have to go in one statement: then more
-- than max_rows go.
CREATE OR REPLACE FUNCTION homeshard.sweep(tab regclass, tenant text, move uuid, epoch bigint, max_rows int)
RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE col name; rel regclass; cond text; n bigint; total bigint := 0; hanger text;
BEGIN
  IF ($5 > 0) IS NOT TRUE THEN
    RAISE EXCEPTION 'homeshard: max_rows must be > 0, was %', $5 USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(4711, 1);
  PERFORM homeshard.enter_mover($2, $3, $4);
  PERFORM set_config('row_security', 'off', true);
  IF current_setting('homeshard.sweep_deferred', true) IS DISTINCT FROM 'on' THEN
    SET CONSTRAINTS ALL IMMEDIATE;          -- else a violation would show at COMMIT only, as it does for a circle of keys
  END IF;
  SELECT t.tenant_column INTO col FROM homeshard.tenant_relations() t WHERE t.tab = $1;
  IF col IS NULL THEN
    RAISE EXCEPTION 'homeshard: table % is no declared tenant table', $1 USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT homeshard.tenant_fits($1, col, $2) THEN
    RETURN 0;
  END IF;
  hanger := homeshard.hangers_on($1, col, $2);
  IF hanger IS NOT NULL THEN
    RAISE EXCEPTION 'homeshard: rows that are not the tenant''s hang on its rows of % by a cascading key: %', $1, hanger
      USING ERRCODE = 'restrict_violation', HINT = 'Unhang them by hand; nothing was deleted.';
  END IF;
  FOR rel IN WITH RECURSIVE tree AS (
               SELECT $1::oid AS oid
               UNION SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.oid
                       JOIN pg_class p ON p.oid = i.inhrelid AND p.relispartition)
             SELECT c.oid::regclass FROM tree t JOIN pg_class c ON c.oid = t.oid AND c.relkind = 'r' ORDER BY c.oid LOOP
    cond := homeshard.tenant_condition(rel, col);
    BEGIN
      EXECUTE format('DELETE FROM ONLY %1$s x WHERE x.ctid = ANY (ARRAY(SELECT x.ctid FROM ONLY %1$s x WHERE %2$s LIMIT $2))'
                     ' AND %2$s', rel, cond) USING $2, $5 - total;
      GET DIAGNOSTICS n = ROW_COUNT;
    EXCEPTION WHEN foreign_key_violation OR restrict_violation THEN
      IF NOT EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = $1 AND k.confrelid = $1) THEN
        RAISE;
      END IF;
      EXECUTE format('DELETE FROM ONLY %1$s x WHERE %2$s', rel, cond) USING $2;
      GET DIAGNOSTICS n = ROW_COUNT;
    END;
    total := total + n;
    EXIT WHEN total >= $5;
  END LOOP;
  RETURN total;
END $f$;

-- Maintenance of many tenants in one transaction: no move begins or cleans on this shard until it ends.
CREATE OR REPLACE FUNCTION homeshard.hold_shard(lock_timeout_ms int) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $f$
DECLARE before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', $1 || 'ms', true);
  PERFORM pg_advisory_xact_lock(4711, 1);
  PERFORM set_config('lock_timeout', before, true);
END $f$;

-- Prepared transactions that hold the tenant: a freeze waits for them until somebody ends them.
CREATE OR REPLACE FUNCTION homeshard.prepared_holders(tenant text) RETURNS SETOF text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $f$
  SELECT p.gid FROM pg_locks l
    JOIN pg_locks x ON x.locktype = 'transactionid' AND x.pid IS NULL AND x.virtualtransaction = l.virtualtransaction
    JOIN pg_prepared_xacts p ON p.transaction = x.transactionid AND p.database = current_database()
   WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.pid IS NULL
     AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
     AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended($1, 4711)
   ORDER BY 1
$f$;

-- Writes whose database this is; refused when it already is somebody else's, or the copy of it on another server.
CREATE OR REPLACE FUNCTION homeshard.identify(directory_id uuid, shard_id text, incarnation int) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
#variable_conflict use_column
DECLARE i homeshard.shard_identity; here bigint; n int;
BEGIN
  PERFORM homeshard.durable();
  BEGIN
    SELECT c.system_identifier INTO here FROM pg_control_system() c;
  EXCEPTION WHEN insufficient_privilege THEN
    here := NULL;
  END;
  INSERT INTO homeshard.shard_identity (directory_id, shard_id, incarnation, system_identifier)
  VALUES ($1, $2, $3, here) ON CONFLICT (one) DO NOTHING;
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n = 1 THEN
    RETURN 'done';
  END IF;
  SELECT * INTO i FROM homeshard.shard_identity;
  IF i.directory_id = $1 AND i.shard_id = $2 AND i.incarnation = $3 THEN
    IF i.system_identifier <> here THEN
      RETURN 'refused: the database is a copy from another server';
    END IF;
    RETURN 'already done';
  END IF;
  RETURN format('refused: the database is shard %s (incarnation=%s) of %s directory', i.shard_id, i.incarnation,
                CASE WHEN i.directory_id = $1 THEN 'this' ELSE 'another' END);
END $f$;

SELECT homeshard.close_functions();
