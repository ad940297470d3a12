-- A plain table, a partitioned one and one for bulk writes, of an application whose role may only write them. No keys on
-- purpose: a doubled row must show.
CREATE SCHEMA pooled;
CREATE TABLE pooled.ledger (tenant_id text NOT NULL, k bigint NOT NULL, v bigint NOT NULL);
CREATE INDEX ON pooled.ledger (tenant_id, k);
CREATE TABLE pooled.part (tenant_id text NOT NULL, k bigint NOT NULL, v bigint NOT NULL) PARTITION BY HASH (k);
CREATE TABLE pooled.part0 PARTITION OF pooled.part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE pooled.part1 PARTITION OF pooled.part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX ON pooled.part (tenant_id, k);
CREATE TABLE pooled.bulk (tenant_id text NOT NULL, k bigint NOT NULL, v bigint NOT NULL);
CREATE INDEX ON pooled.bulk (tenant_id, k);

-- Rows that only their tenant sees.
CREATE TABLE pooled.secret (tenant_id text NOT NULL, k bigint NOT NULL);
ALTER TABLE pooled.secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON pooled.secret USING (tenant_id = current_setting('app.tenant_id', true));

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pooled') THEN CREATE ROLE pooled; END IF;
END $$;
ALTER ROLE pooled LOGIN NOSUPERUSER PASSWORD 'pooled';
GRANT USAGE ON SCHEMA pooled TO pooled;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pooled TO pooled;
SELECT homeshard.grant_application('pooled');
