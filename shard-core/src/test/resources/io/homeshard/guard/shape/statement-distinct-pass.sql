-- Every tenant of every statement by its name, as without a pass; but a tenant for which the session holds a pass is
-- not looked up. AFTER STATEMENT triggers with transition tables.
-- STABLE saves a snapshot for each expression; what reads has its own.
DO $shape$
DECLARE g record; e text; fn text;
BEGIN
  FOR g IN SELECT t.tgrelid::regclass AS tab, t.tgname FROM pg_trigger t
            WHERE t.tgname ~ '^zz_homeshard_(guard|tree)_[^t]$' AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', g.tgname, g.tab);
  END LOOP;
  FOR g IN SELECT x.tab, homeshard.tenant_expr(x.tab, x.tenant_column, 'n') AS n,
                  homeshard.tenant_expr(x.tab, x.tenant_column, 'o') AS o FROM homeshard.guarded x LOOP
    FOREACH e IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
      fn := format('homeshard.shape_%s_%s', substr(md5(g.n), 1, 12), lower(left(e, 1)));
      EXECUTE format($q$
        CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER AS $g$
        DECLARE t pg_catalog.text; ok boolean;
        BEGIN
          FOR t IN %2$s LOOP
            IF homeshard.passes(t) IS NOT TRUE THEN ok := homeshard.check_tenant(t, TG_OP); END IF;
          END LOOP;
          RETURN NULL;
        END $g$;
        REVOKE ALL ON FUNCTION %1$s() FROM PUBLIC;
        CREATE TRIGGER zz_homeshard_guard_%3$s AFTER %4$s ON %5$s REFERENCING %6$s
          FOR EACH STATEMENT EXECUTE FUNCTION %1$s();
        ALTER TABLE ONLY %5$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%3$s $q$,
        fn,
        CASE e WHEN 'INSERT' THEN format('SELECT DISTINCT %s FROM hs_new n', g.n)
               WHEN 'DELETE' THEN format('SELECT DISTINCT %s FROM hs_old o', g.o)
               ELSE format('SELECT %s FROM hs_new n UNION SELECT %s FROM hs_old o', g.n, g.o) END,
        lower(left(e, 1)), e, g.tab,
        CASE e WHEN 'INSERT' THEN 'NEW TABLE AS hs_new' WHEN 'DELETE' THEN 'OLD TABLE AS hs_old'
               ELSE 'NEW TABLE AS hs_new OLD TABLE AS hs_old' END);
    END LOOP;
  END LOOP;
END $shape$;
