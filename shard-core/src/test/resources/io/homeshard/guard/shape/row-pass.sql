-- Each row by itself; a row of a tenant for which the session holds a pass costs one expression. AFTER ROW triggers.
-- STABLE saves a snapshot for each expression; what reads has its own.
DO $shape$
DECLARE g record; e text; fn text; v text;
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
        DECLARE ok boolean; r pg_catalog.text;
        BEGIN
          IF %6$s AND homeshard.passes(%5$s) THEN RETURN r; END IF;
          ok := homeshard.check_tenant(%5$s, TG_OP);
          %7$s
          RETURN r;
        END $g$;
        REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
        CREATE TRIGGER zz_homeshard_guard_%2$s AFTER %3$s ON %4$s FOR EACH ROW EXECUTE FUNCTION %1$s();
        ALTER TABLE %4$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%2$s $q$,
        fn, lower(left(e, 1)), e, g.tab, v,
        CASE e WHEN 'UPDATE' THEN format('(%s OPERATOR(pg_catalog.=) (%s COLLATE "C"))', g.o, g.n) ELSE 'true' END,
        CASE e WHEN 'UPDATE' THEN format('ok := homeshard.check_tenant(%s, TG_OP);', g.o) ELSE '' END);
    END LOOP;
  END LOOP;
END $shape$;
