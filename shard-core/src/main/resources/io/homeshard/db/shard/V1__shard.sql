-- What a shard knows by itself. The role that runs this owns the schema; the application's role needs no right on it
-- for guarded writes, and gets the few it may use from homeshard.grant_application().
CREATE SCHEMA IF NOT EXISTS homeshard;
REVOKE ALL ON SCHEMA homeshard FROM PUBLIC;

-- One row for each tenant that the shard has ever held. A row 'moved' stays, so that a generation never restarts.
-- Nothing that changes often belongs here: each update fails REPEATABLE READ writers of the tenant with 40001.
CREATE TABLE homeshard.ownership (
    tenant_id           text COLLATE "C" PRIMARY KEY CHECK (tenant_id <> ''),
    generation          bigint NOT NULL CHECK (generation > 0),
    state               text NOT NULL CHECK (state IN ('owned', 'frozen', 'incoming', 'moved')),
    move_id             uuid,
    mover_epoch         bigint CHECK (mover_epoch > 0),
    attempt             int CHECK (attempt > 0),
    verified_attempt    int,                    -- the attempt whose rows were compared here and are complete
    moved_to            text,                   -- shard to which the tenant went
    map_version         bigint,
    replaced_generation bigint,                 -- the row 'moved' that the row 'incoming' stands on
    replaced_move       uuid,
    replaced_moved_to   text,
    CHECK (state = 'owned' OR (move_id IS NOT NULL AND mover_epoch IS NOT NULL AND attempt IS NOT NULL))
) WITH (fillfactor = 70);

-- The number of the latest closing: a closing is an owned tenant that stops being owned here. Passes of sessions are made of it, so each
-- is a new random number and only the owner may read it.
CREATE SEQUENCE homeshard.closings;
SELECT setval('homeshard.closings', 1 + (hashtextextended(gen_random_uuid()::text, 0) & 2305843009213693951));

-- The highest mover epoch ever seen for a tenant, also where the shard has no row of it. Never lowered, never erased.
CREATE TABLE homeshard.mover_fence (
    tenant_id text COLLATE "C" PRIMARY KEY CHECK (tenant_id <> ''),
    epoch     bigint NOT NULL CHECK (epoch > 0),
    given_up  boolean NOT NULL DEFAULT false    -- this epoch has thawed or released: it freezes and reserves no more
);

-- The application's declaration of its tables, as last handed to homeshard.declare().
CREATE TABLE homeshard.declaration (
    one           boolean PRIMARY KEY DEFAULT true CHECK (one),
    tenant_column text NOT NULL,
    schemas       text[] NOT NULL
);
CREATE TABLE homeshard.declared_table (
    schema_name   text NOT NULL,
    table_name    text NOT NULL,
    kind          text NOT NULL CHECK (kind IN ('tenant', 'reference', 'ignored')),
    tenant_column text,
    PRIMARY KEY (schema_name, table_name),
    CHECK ((kind = 'tenant') = (tenant_column IS NOT NULL))
);

-- Tenant tables that are written by statements of many rows, with what is below them: they get the guard's other shape.
CREATE TABLE homeshard.bulk_table (
    schema_name text NOT NULL,
    table_name  text NOT NULL,
    PRIMARY KEY (schema_name, table_name)
);

-- Relations (partitions and inheritance children too) that carry the guard, and how it looked when it was installed.
CREATE TABLE homeshard.guarded (
    tab           regclass PRIMARY KEY,
    tenant_column name NOT NULL,
    digest        text NOT NULL
);

-- How the functions behind all triggers looked when they were installed.
CREATE TABLE homeshard.guard_core (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one),
    digest text NOT NULL
);

-- Whose database this is; written once.
CREATE TABLE homeshard.shard_identity (
    one               boolean PRIMARY KEY DEFAULT true CHECK (one),
    directory_id      uuid NOT NULL,
    shard_id          text NOT NULL,
    incarnation       int NOT NULL CHECK (incarnation > 0),
    system_identifier bigint,                   -- null where the server does not let the role read it
    written_at        timestamptz NOT NULL DEFAULT now()
);

-- Rows of tenants that did not belong here and could not be brought home, each as the text of a whole row:
-- SELECT (p.content::app.orders).* FROM homeshard.put_aside p WHERE p.table_name = 'orders'.
CREATE TABLE homeshard.put_aside (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id   text COLLATE "C" NOT NULL,
    gathering   uuid NOT NULL,                  -- as the directory has it
    schema_name text NOT NULL,
    table_name  text NOT NULL,
    content     text NOT NULL,
    reason      text NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX put_aside_tenant ON homeshard.put_aside (tenant_id);

-- Default privileges of the role that runs this may have handed out what nobody else shall have.
DO $$
DECLARE g record;
BEGIN
  FOR g IN SELECT c.oid::regclass AS rel, CASE WHEN c.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee
             FROM pg_class c, aclexplode(c.relacl) a
            WHERE c.relnamespace = 'homeshard'::regnamespace AND c.relkind IN ('r', 'S') AND a.grantee <> c.relowner LOOP
    EXECUTE format('REVOKE ALL ON %s %s FROM %s', g.kind, g.rel, g.grantee);
  END LOOP;
END $$;
