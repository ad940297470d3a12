-- What the library installs on tables that are declared as written in bulk, here on all: every row has to be of the one
-- tenant for which the session holds a pass, else every tenant is looked up. AFTER STATEMENT triggers with transition
-- tables.
DO $shape$
DECLARE g record; e text;
BEGIN
  FOR g IN SELECT t.tgrelid::regclass AS tab, t.tgname FROM pg_trigger t
            WHERE t.tgname ~ '^zz_homeshard_(guard|tree)_[^t]$' AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', g.tgname, g.tab);
  END LOOP;
  FOR g IN SELECT x.tab, x.tenant_column FROM homeshard.guarded x LOOP
    FOREACH e IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
      EXECUTE format($q$
        CREATE TRIGGER zz_homeshard_guard_%1$s AFTER %2$s ON %3$s REFERENCING %4$s
          FOR EACH STATEMENT EXECUTE FUNCTION homeshard.%5$I();
        ALTER TABLE ONLY %3$s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%1$s $q$,
        lower(left(e, 1)), e, g.tab,
        CASE e WHEN 'INSERT' THEN 'NEW TABLE AS hs_new' WHEN 'DELETE' THEN 'OLD TABLE AS hs_old'
               ELSE 'NEW TABLE AS hs_new OLD TABLE AS hs_old' END,
        homeshard.install_function(g.tab, g.tenant_column, 'statement', lower(left(e, 1))));
    END LOOP;
  END LOOP;
END $shape$;
