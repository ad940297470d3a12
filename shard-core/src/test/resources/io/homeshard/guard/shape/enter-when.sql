-- One check in a transaction: enter() makes it and leaves a note; the tables only compare. AFTER ROW triggers, whose WHEN
-- clause compares the note; the functions behind them admit nobody who has not entered.

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
  s := pg_catalog.pg_current_xact_id()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) $1;
  s := pg_catalog.set_config('homeshard.ok', s, true);
  s := pg_catalog.set_config('homeshard.entered_' OPERATOR(pg_catalog.||) pg_catalog.md5($1), s, true);
  RETURN g;
END $f$;
GRANT USAGE ON SCHEMA homeshard TO PUBLIC;
GRANT EXECUTE ON FUNCTION homeshard.enter(text, bigint) TO PUBLIC;

-- A transaction that entered several tenants, the mover, and all others.
CREATE OR REPLACE FUNCTION homeshard.shape_entered(t text, op text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $f$
DECLARE s pg_catalog.text; ok boolean;
BEGIN
  s := pg_catalog.pg_current_xact_id()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) t;
  IF pg_catalog.current_setting('homeshard.entered_' OPERATOR(pg_catalog.||) pg_catalog.md5(t), true) OPERATOR(pg_catalog.=) s THEN
    s := pg_catalog.set_config('homeshard.ok', s, true);
    RETURN true;
  END IF;
  ok := homeshard.check_tenant(t, op);
  IF COALESCE(homeshard.is_mover(t), false) THEN RETURN ok; END IF;
  RAISE EXCEPTION 'homeshard: transaction has not entered tenant %', t USING ERRCODE = 'HS003';
END $f$;
REVOKE ALL ON FUNCTION homeshard.shape_entered(text, text) FROM PUBLIC;

DO $shape$
DECLARE g record; e text; fn text; v text; changed text;
  -- one transaction, one tenant: neither a later transaction nor another tenant is taken for it
  memo CONSTANT text := $m$pg_catalog.current_setting('homeshard.ok', true) OPERATOR(pg_catalog.=)
    ((pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) %s) COLLATE "C")$m$;
BEGIN
  FOR g IN SELECT t.tgrelid::regclass AS tab, t.tgname FROM pg_trigger t
            WHERE t.tgname ~ '^zz_homeshard_(guard|tree)_[^t]$' AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', g.tgname, g.tab);
  END LOOP;
  -- Partitions get theirs from the table above them.
  FOR g IN SELECT x.tab, homeshard.tenant_expr(x.tab, x.tenant_column, 'NEW') AS n,
                  homeshard.tenant_expr(x.tab, x.tenant_column, 'OLD') AS o
             FROM homeshard.guarded x JOIN pg_class c ON c.oid = x.tab
            WHERE NOT (c.relispartition AND EXISTS (SELECT FROM pg_inherits i JOIN homeshard.guarded p ON p.tab = i.inhparent
                                                     WHERE i.inhrelid = x.tab)) LOOP
    FOREACH e IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
      fn := format('homeshard.shape_%s_%s', substr(md5(g.n), 1, 12), lower(left(e, 1)));
      v := CASE e WHEN 'DELETE' THEN g.o ELSE g.n END;
      changed := CASE e WHEN 'UPDATE' THEN format('(%s OPERATOR(pg_catalog.=) (%s COLLATE "C")) IS NOT TRUE', g.o, g.n) ELSE 'false' END;
      EXECUTE format($q$
        CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $g$
        DECLARE ok boolean;
        BEGIN
          %8$s
          ok := homeshard.shape_entered(%5$s, TG_OP);
          RETURN NULL;
        END $g$;
        REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
        CREATE TRIGGER zz_homeshard_guard_%2$s AFTER %3$s ON %4$s FOR EACH ROW WHEN ((%6$s) IS NOT TRUE OR %7$s)
          EXECUTE FUNCTION %1$s();
        ALTER TABLE %4$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%2$s $q$,
        fn, lower(left(e, 1)), e, g.tab, v, format(memo, v), changed,
        CASE e WHEN 'UPDATE' THEN format('IF %s THEN ok := homeshard.shape_entered(%s, TG_OP); END IF;', changed, g.o) ELSE '' END);
    END LOOP;
  END LOOP;
END $shape$;
