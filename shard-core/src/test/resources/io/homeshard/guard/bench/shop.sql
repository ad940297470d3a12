-- The shop whose transactions are timed. No index but the keys: what the guard adds shows the more.
CREATE SCHEMA shop;
CREATE TABLE shop.orders (
    tenant_id text NOT NULL,
    id        bigint NOT NULL,
    customer  text NOT NULL,
    total     numeric NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);
CREATE TABLE shop.lines (
    tenant_id text NOT NULL,
    order_id  bigint NOT NULL,
    line      int NOT NULL,
    sku       text NOT NULL,
    qty       int NOT NULL,
    PRIMARY KEY (tenant_id, order_id, line)
);
CREATE TABLE shop.counters (
    tenant_id text NOT NULL,
    name      text NOT NULL,
    value     bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);
CREATE TABLE shop.bulk (tenant_id text NOT NULL, id bigint NOT NULL, note text NOT NULL);
CREATE INDEX ON shop.bulk (tenant_id, id);
INSERT INTO shop.counters SELECT 't' || to_char(i, 'FM0000'), 'orders', 0 FROM generate_series(1, 1000) i;
-- Rows enough that plans, which sessions make once, are those of tables in service.
INSERT INTO shop.orders SELECT tenant_id, i, 'c', 12.5 FROM shop.counters, generate_series(1, 20) i;
INSERT INTO shop.lines SELECT tenant_id, i, 1, 'a', 1 FROM shop.counters, generate_series(1, 20) i;

-- What people write by hand instead of a guard: each transaction locks the tenant's row of this table first.
CREATE SCHEMA by_hand;
CREATE TABLE by_hand.ownership (tenant_id text COLLATE "C" PRIMARY KEY, state text NOT NULL) WITH (fillfactor = 70);
INSERT INTO by_hand.ownership SELECT 't' || to_char(i, 'FM0000'), 'owned' FROM generate_series(1, 1000) i;

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'bench_app') THEN
    CREATE ROLE bench_app LOGIN PASSWORD 'bench';
  END IF;
END $$;
GRANT USAGE ON SCHEMA shop, by_hand TO bench_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shop TO bench_app;
GRANT SELECT, UPDATE ON by_hand.ownership TO bench_app;

INSERT INTO homeshard.ownership (tenant_id, generation, state)
  SELECT 't' || to_char(i, 'FM0000'), 1, 'owned' FROM generate_series(1, 1000) i;
SELECT homeshard.grant_application('bench_app');
