-- As row-pass, with the test of the pass in the WHEN clause: no function is called while it holds. A WHEN clause runs
-- with the rights of the writer, so the number that keeps passes from being guessed has to be readable by everybody.
GRANT SELECT ON SEQUENCE homeshard.closings TO PUBLIC;

-- STABLE saves a snapshot for each expression; what reads has its own.
DO $shape$
DECLARE g record; e text; fn text; v text;
  pass CONSTANT text := $p$pg_catalog.pg_try_advisory_xact_lock_shared(pg_catalog.hashtextextended(%1$s, 4711))
    AND pg_catalog.current_setting('homeshard.pass_' OPERATOR(pg_catalog.||) pg_catalog.to_hex(pg_catalog.hashtext(%1$s) OPERATOR(pg_catalog.&) 1023), true) OPERATOR(pg_catalog.=) ((%1$s OPERATOR(pg_catalog.||) pg_catalog.hashtextextended(%1$s,
      pg_catalog.pg_sequence_last_value('homeshard.closings'::pg_catalog.regclass))::pg_catalog.text) COLLATE "C")$p$;
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
      EXECUTE format($q$
        CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER AS $g$
        DECLARE ok boolean;
        BEGIN
          ok := homeshard.check_tenant(%5$s, TG_OP);
          %8$s
          RETURN NULL;
        END $g$;
        REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
        CREATE TRIGGER zz_homeshard_guard_%2$s AFTER %3$s ON %4$s FOR EACH ROW WHEN ((%6$s AND %7$s) IS NOT TRUE)
          EXECUTE FUNCTION %1$s();
        ALTER TABLE %4$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%2$s $q$,
        fn, lower(left(e, 1)), e, g.tab, v,
        CASE e WHEN 'UPDATE' THEN format('(%s OPERATOR(pg_catalog.=) (%s COLLATE "C"))', g.o, g.n) ELSE 'true' END,
        format(pass, v),
        CASE e WHEN 'UPDATE' THEN format('ok := homeshard.check_tenant(%s, TG_OP);', g.o) ELSE '' END);
    END LOOP;
  END LOOP;
END $shape$;
