-- An application's schema with every way a row can come to a tenant table. All of it belongs to the role "app".
CREATE EXTENSION citext SCHEMA public;
CREATE SCHEMA shop AUTHORIZATION app;
SET ROLE app;

-- One table for each type of tenant column.
CREATE TABLE shop.note_text    (id bigserial PRIMARY KEY, tenant_id text,          k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.note_uuid    (id bigserial PRIMARY KEY, tenant_id uuid,          k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.note_bigint  (id bigserial PRIMARY KEY, tenant_id bigint,        k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.note_citext  (id bigserial PRIMARY KEY, tenant_id public.citext, k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.note_char8   (id bigserial PRIMARY KEY, tenant_id char(8),       k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.note_varchar (id bigserial PRIMARY KEY, tenant_id varchar(40),   k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE INDEX ON shop.note_text (tenant_id);

-- Partitions; the second one has its columns in another order.
CREATE SEQUENCE shop.part_id;
CREATE TABLE shop.part (id bigint NOT NULL DEFAULT nextval('shop.part_id'), tenant_id text, p int NOT NULL, v int NOT NULL DEFAULT 0, PRIMARY KEY (id, p)) PARTITION BY LIST (p);
CREATE TABLE shop.part1 PARTITION OF shop.part FOR VALUES IN (1);
CREATE TABLE shop.part2 (v int NOT NULL DEFAULT 0, p int NOT NULL, tenant_id text, id bigint NOT NULL DEFAULT nextval('shop.part_id'));
ALTER TABLE shop.part ATTACH PARTITION shop.part2 FOR VALUES IN (2);

-- The same once more, declared as written in bulk.
CREATE TABLE shop.bulk_text (id bigserial PRIMARY KEY, tenant_id text, k text UNIQUE, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.bulk (id bigint NOT NULL DEFAULT nextval('shop.part_id'), tenant_id text, p int NOT NULL, v int NOT NULL DEFAULT 0, PRIMARY KEY (id, p)) PARTITION BY LIST (p);
CREATE TABLE shop.bulk1 PARTITION OF shop.bulk FOR VALUES IN (1);
CREATE TABLE shop.bulk2 (v int NOT NULL DEFAULT 0, p int NOT NULL, tenant_id text, id bigint NOT NULL DEFAULT nextval('shop.part_id'));
ALTER TABLE shop.bulk ATTACH PARTITION shop.bulk2 FOR VALUES IN (2);

-- A table that another inherits from.
CREATE TABLE shop.memo (id bigserial PRIMARY KEY, tenant_id text, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.memo_old (reason text) INHERITS (shop.memo);

-- Triggers of the application that change the tenant, named before and after any name the guard may have.
CREATE TABLE shop.redirect_aaa (id bigserial PRIMARY KEY, tenant_id text, k text, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.redirect_zzz (id bigserial PRIMARY KEY, tenant_id text, k text, v int NOT NULL DEFAULT 0);
CREATE FUNCTION shop.redirect() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN IF NEW.k IS NOT NULL THEN NEW.tenant_id := NEW.k; END IF; RETURN NEW; END $$;
CREATE TRIGGER aaa_user BEFORE INSERT OR UPDATE ON shop.redirect_aaa FOR EACH ROW EXECUTE FUNCTION shop.redirect();
CREATE TRIGGER zzz_user BEFORE INSERT OR UPDATE ON shop.redirect_zzz FOR EACH ROW EXECUTE FUNCTION shop.redirect();

-- Tables without a tenant whose foreign keys write into a tenant table.
CREATE TABLE shop.parent (id bigserial PRIMARY KEY);
CREATE TABLE shop.label  (id bigserial PRIMARY KEY);
CREATE TABLE shop.child (
  id bigserial PRIMARY KEY, tenant_id text, v int NOT NULL DEFAULT 0,
  parent bigint REFERENCES shop.parent ON DELETE CASCADE ON UPDATE CASCADE,
  label  bigint REFERENCES shop.label  ON DELETE SET NULL);

-- Views.
CREATE VIEW shop.note_view AS SELECT id, tenant_id, v FROM shop.note_text;
CREATE VIEW shop.note_entry AS SELECT id, tenant_id, v FROM shop.note_text;
CREATE FUNCTION shop.note_entry_insert() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO shop.note_text (tenant_id, v) VALUES (NEW.tenant_id, NEW.v); RETURN NEW; END $$;
CREATE TRIGGER entry INSTEAD OF INSERT ON shop.note_entry FOR EACH ROW EXECUTE FUNCTION shop.note_entry_insert();

-- Row-level security, also for the owner.
CREATE TABLE shop.secured (id bigserial PRIMARY KEY, tenant_id text, v int NOT NULL DEFAULT 0);
ALTER TABLE shop.secured ENABLE ROW LEVEL SECURITY;
ALTER TABLE shop.secured FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON shop.secured USING (tenant_id = current_setting('app.tenant_id', true));

-- A queue, declared as ignored, whose deferred trigger writes a tenant table at commit.
CREATE TABLE shop.late (id bigserial PRIMARY KEY, tenant_id text, v int NOT NULL DEFAULT 0);
CREATE TABLE shop.queue (id bigserial, tenant_id text);
CREATE FUNCTION shop.queue_out() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN INSERT INTO shop.late (tenant_id) VALUES (NEW.tenant_id); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER queue_out AFTER INSERT ON shop.queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop.queue_out();

-- Another one that is declared as ignored.
CREATE TABLE shop.scrap (id bigserial PRIMARY KEY, tenant_id text);

-- Commits between its two writes and then waits at the gate, the advisory lock (1, 1).
CREATE PROCEDURE shop.two_steps(t text) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO shop.note_text (tenant_id) VALUES (t);
  COMMIT;
  PERFORM pg_advisory_xact_lock(1, 1);
  INSERT INTO shop.note_text (tenant_id) VALUES (t);
  COMMIT;
END $$;
CREATE FUNCTION shop.add_note(t text) RETURNS void LANGUAGE plpgsql SET work_mem = '8MB' AS
$$ BEGIN INSERT INTO shop.note_text (tenant_id) VALUES (t); END $$;

-- No key on purpose: a doubled row must show.
CREATE TABLE shop.ledger (tenant_id text NOT NULL, k bigint NOT NULL, v bigint NOT NULL);
CREATE INDEX ON shop.ledger (tenant_id, k);
CREATE TABLE shop.bulk_ledger (LIKE shop.ledger INCLUDING ALL);
CREATE TABLE shop.part_ledger (LIKE shop.ledger INCLUDING ALL) PARTITION BY HASH (k);
CREATE TABLE shop.part_ledger0 PARTITION OF shop.part_ledger FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE shop.part_ledger1 PARTITION OF shop.part_ledger FOR VALUES WITH (MODULUS 2, REMAINDER 1);

RESET ROLE;
