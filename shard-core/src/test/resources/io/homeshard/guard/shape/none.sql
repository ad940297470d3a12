-- No guard at all: what the others are compared with. Takes the triggers off every guarded relation.
DO $shape$
DECLARE g record;
BEGIN
  FOR g IN SELECT t.tgrelid::regclass AS tab, t.tgname FROM pg_trigger t
            WHERE t.tgname LIKE 'zz\_homeshard\_%' AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', g.tgname, g.tab);
  END LOOP;
END $shape$;
