-- Two other shapes of the guard for tables whose tenant column is tenant_id text, to be changed to and from under
-- traffic: upgrade.apply(table, 'statement' or 'row') changes a table and what is below it in one transaction.
CREATE SCHEMA upgrade;

CREATE FUNCTION homeshard.upgrade_statement_i() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
DECLARE t text; BEGIN
  FOR t IN SELECT DISTINCT n.tenant_id FROM hs_new n LOOP PERFORM homeshard.check_tenant(t, TG_OP); END LOOP; RETURN NULL;
END $f$;
CREATE FUNCTION homeshard.upgrade_statement_u() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
DECLARE t text; BEGIN
  FOR t IN SELECT n.tenant_id FROM hs_new n UNION SELECT o.tenant_id FROM hs_old o LOOP
    PERFORM homeshard.check_tenant(t, TG_OP);
  END LOOP; RETURN NULL;
END $f$;
CREATE FUNCTION homeshard.upgrade_statement_d() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
DECLARE t text; BEGIN
  FOR t IN SELECT DISTINCT o.tenant_id FROM hs_old o LOOP PERFORM homeshard.check_tenant(t, TG_OP); END LOOP; RETURN NULL;
END $f$;
CREATE FUNCTION homeshard.upgrade_row_i() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
BEGIN PERFORM homeshard.check_tenant(NEW.tenant_id, TG_OP); RETURN NULL; END $f$;
CREATE FUNCTION homeshard.upgrade_row_u() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
BEGIN
  PERFORM homeshard.check_tenant(OLD.tenant_id, TG_OP); PERFORM homeshard.check_tenant(NEW.tenant_id, TG_OP); RETURN NULL;
END $f$;
CREATE FUNCTION homeshard.upgrade_row_d() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $f$
BEGIN PERFORM homeshard.check_tenant(OLD.tenant_id, TG_OP); RETURN NULL; END $f$;

-- A table with its partitions: what inherits from it is changed by itself.
CREATE FUNCTION upgrade.tree(root regclass) RETURNS SETOF regclass LANGUAGE sql AS $f$
  SELECT root UNION SELECT p.relid FROM pg_partition_tree(root) p
$f$;

CREATE FUNCTION upgrade.drop(root regclass) RETURNS void LANGUAGE plpgsql AS $f$
DECLARE t record;
BEGIN
  SET LOCAL lock_timeout = 100;
  PERFORM homeshard.hold_tree(root, 'ACCESS EXCLUSIVE', 100);
  FOR t IN SELECT g.tgrelid::regclass AS rel, g.tgname FROM pg_trigger g JOIN upgrade.tree(root) r ON r = g.tgrelid
            JOIN pg_proc p ON p.oid = g.tgfoid WHERE p.pronamespace = 'homeshard'::regnamespace AND g.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.rel);
  END LOOP;
END $f$;

CREATE FUNCTION upgrade.apply(root regclass, shape text) RETURNS void LANGUAGE plpgsql AS $f$
DECLARE rel regclass; e text;
BEGIN
  PERFORM upgrade.drop(root);
  FOR rel IN SELECT r FROM upgrade.tree(root) r WHERE shape = 'statement' OR r = root LOOP
    FOREACH e IN ARRAY ARRAY['i', 'u', 'd'] LOOP
      EXECUTE format('CREATE TRIGGER zz_homeshard_guard_%1$s AFTER %2$s ON %3$s %4$s EXECUTE FUNCTION homeshard.upgrade_%5$s_%1$s()',
        e, CASE e WHEN 'i' THEN 'INSERT' WHEN 'u' THEN 'UPDATE' ELSE 'DELETE' END, rel,
        CASE WHEN shape = 'row' THEN 'FOR EACH ROW'
             WHEN e = 'i' THEN 'REFERENCING NEW TABLE AS hs_new FOR EACH STATEMENT'
             WHEN e = 'd' THEN 'REFERENCING OLD TABLE AS hs_old FOR EACH STATEMENT'
             ELSE 'REFERENCING NEW TABLE AS hs_new OLD TABLE AS hs_old FOR EACH STATEMENT' END, shape);
      EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER zz_homeshard_guard_%s', rel, e);
    END LOOP;
  END LOOP;
END $f$;

-- What is changed by itself.
CREATE VIEW upgrade.root AS
  SELECT g.tab::oid AS tab FROM homeshard.guarded g JOIN pg_class c ON c.oid = g.tab WHERE NOT c.relispartition;
