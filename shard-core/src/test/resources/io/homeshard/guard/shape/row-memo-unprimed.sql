-- Each row by itself; the first one of a transaction looks the tenant up and leaves a note for the rest of it. AFTER ROW
-- triggers, whose WHEN clause compares the note. The note is the writer's to forge.

-- What the trigger functions do not do themselves: a fixed snapshot, the mover's writes, refusals.
CREATE OR REPLACE FUNCTION homeshard.shape_admit(t text, op text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $f$
DECLARE m pg_catalog.text; ok boolean;
BEGIN
  ok := homeshard.check_tenant(t, op);
  IF NOT COALESCE(homeshard.is_mover(t), false) THEN
    m := pg_catalog.set_config('homeshard.ok', pg_catalog.pg_current_xact_id()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) t, true);
  END IF;
  RETURN ok;
END $f$;
REVOKE ALL ON FUNCTION homeshard.shape_admit(text, text) FROM PUBLIC;

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
        DECLARE m pg_catalog.text; ok boolean;
        BEGIN
          %8$s
          IF %6$s THEN RETURN NULL; END IF;                                -- an earlier row of this statement left the note
          IF NOT pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended(%5$s, 4711)) THEN
            PERFORM pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended(%5$s, 4711));
          END IF;
          SELECT CASE WHEN o.state OPERATOR(pg_catalog.=) 'owned' AND pg_catalog.current_setting('transaction_isolation') OPERATOR(pg_catalog.~~) 'read %%'
                      THEN pg_catalog.set_config('homeshard.ok', pg_catalog.pg_current_xact_id()::pg_catalog.text OPERATOR(pg_catalog.||) '/' OPERATOR(pg_catalog.||) o.tenant_id, true) END
            INTO m FROM homeshard.ownership o WHERE o.tenant_id OPERATOR(pg_catalog.=) %5$s;
          IF m IS NULL THEN ok := homeshard.shape_admit(%5$s, TG_OP); END IF;
          RETURN NULL;
        END $g$;
        REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
        CREATE TRIGGER zz_homeshard_guard_%2$s AFTER %3$s ON %4$s FOR EACH ROW WHEN ((%6$s) IS NOT TRUE OR %7$s)
          EXECUTE FUNCTION %1$s();
        ALTER TABLE %4$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%2$s $q$,
        fn, lower(left(e, 1)), e, g.tab, v, format(memo, v), changed,
        CASE e WHEN 'UPDATE' THEN format('IF %s THEN ok := homeshard.shape_admit(%s, TG_OP); END IF;', changed, g.o) ELSE '' END);
    END LOOP;
  END LOOP;
END $shape$;
