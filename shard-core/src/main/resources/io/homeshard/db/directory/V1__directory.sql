-- The directory: which shard owns which tenant, and the journal of everything that changes it.
CREATE SCHEMA IF NOT EXISTS homeshard;
REVOKE ALL ON SCHEMA homeshard FROM PUBLIC;

CREATE TABLE homeshard.directory_meta (
  only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  directory_id uuid NOT NULL DEFAULT gen_random_uuid(),
  incarnation  int NOT NULL DEFAULT 1 CHECK (incarnation >= 1),
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO homeshard.directory_meta DEFAULT VALUES;

-- One counter for the whole directory. A row and not a sequence: its lock makes changes commit in the order of their
-- versions, so that whoever asks "what changed since v" misses nothing.
CREATE TABLE homeshard.map_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version  bigint NOT NULL DEFAULT 0 CHECK (version >= 0)
) WITH (fillfactor = 20);
INSERT INTO homeshard.map_version DEFAULT VALUES;

-- Every epoch, of moves and of creations, comes from here: it grows over all tenants and never restarts.
CREATE SEQUENCE homeshard.mover_epoch AS bigint MINVALUE 1 NO CYCLE;

CREATE TABLE homeshard.shard (
  shard_id     text COLLATE "C" PRIMARY KEY CHECK (shard_id ~ '^[a-z][a-z0-9_-]{0,39}$'),
  shard_number smallint NOT NULL UNIQUE CHECK (shard_number BETWEEN 1 AND 1023),
  jdbc_url     text NOT NULL CHECK (jdbc_url LIKE 'jdbc:postgresql:%'),
  incarnation  int NOT NULL DEFAULT 1 CHECK (incarnation >= 1),
  region       text,
  weight       int NOT NULL CHECK (weight BETWEEN 0 AND 10000),
  max_tenants  bigint CHECK (max_tenants >= 0),
  max_bytes    bigint CHECK (max_bytes >= 0),
  status       text NOT NULL DEFAULT 'offline' CHECK (status IN ('active', 'draining', 'readonly', 'offline')),
  bootstrapped boolean NOT NULL DEFAULT false,
  dedicated    boolean NOT NULL DEFAULT false,
  version      bigint NOT NULL DEFAULT 1,
  added_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  removed_at   timestamptz CHECK (removed_at IS NULL OR status = 'offline')
);
CREATE UNIQUE INDEX shard_address ON homeshard.shard (jdbc_url) WHERE removed_at IS NULL;
COMMENT ON COLUMN homeshard.shard.removed_at IS 'a removed shard keeps its row: journal and history name it, and its number is in ids';
COMMENT ON COLUMN homeshard.shard.bootstrapped IS 'true after the first complete roll-out; later ones leave the status alone';

CREATE TABLE homeshard.placement (
  tenant_id   text COLLATE "C" PRIMARY KEY CHECK (char_length(tenant_id) BETWEEN 1 AND 128),
  shard_id    text COLLATE "C" NOT NULL REFERENCES homeshard.shard,
  generation  bigint NOT NULL CHECK (generation >= 1),
  state       text NOT NULL CHECK (state IN ('provisioning', 'active', 'moving', 'frozen', 'deleting')),
  map_version bigint NOT NULL CHECK (map_version >= 0),
  region      text,                            -- the tenant may live on shards of this region only; null for any
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 80);
CREATE INDEX placement_shard ON homeshard.placement (shard_id);

-- Where was a tenant at a time, and why. A removal has no to_shard and no state. Never deleted: the highest generation
-- ever given to a tenant is read here.
CREATE TABLE homeshard.placement_history (
  map_version bigint PRIMARY KEY,
  tenant_id   text COLLATE "C" NOT NULL,
  from_shard  text COLLATE "C",
  to_shard    text COLLATE "C",
  generation  bigint NOT NULL CHECK (generation >= 1),
  state       text CHECK (state IN ('provisioning', 'active', 'moving', 'frozen', 'deleting')),
  reason      text NOT NULL,
  move_id     uuid,
  actor       text NOT NULL,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((to_shard IS NULL) = (state IS NULL))
);
CREATE INDEX placement_history_tenant ON homeshard.placement_history (tenant_id, generation);
CREATE INDEX placement_history_move ON homeshard.placement_history (move_id) WHERE move_id IS NOT NULL;

-- Tenants being created; a row lives until the shard has answered that the creation is complete, or undone.
CREATE TABLE homeshard.provisioning (
  operation   uuid PRIMARY KEY,
  tenant_id   text COLLATE "C" NOT NULL UNIQUE REFERENCES homeshard.placement ON DELETE RESTRICT,
  shard_id    text COLLATE "C" NOT NULL REFERENCES homeshard.shard,
  generation  bigint NOT NULL CHECK (generation >= 1),
  epoch       bigint NOT NULL CHECK (epoch >= 1),
  committed   boolean NOT NULL DEFAULT false,
  lease_until timestamptz NOT NULL,
  started_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE homeshard.move (
  id               uuid PRIMARY KEY,
  tenant_id        text COLLATE "C" NOT NULL,
  source           text COLLATE "C" NOT NULL REFERENCES homeshard.shard,
  target           text COLLATE "C" NOT NULL REFERENCES homeshard.shard,
  generation       bigint NOT NULL CHECK (generation >= 1),
  mode             text NOT NULL DEFAULT 'freeze-copy' CHECK (mode IN ('freeze-copy')),
  phase            text NOT NULL CHECK (phase IN ('PLANNED', 'RESERVED', 'FREEZING', 'FROZEN', 'COPYING', 'VERIFIED',
                     'FLIPPED', 'ACTIVATED', 'RETAINED', 'CLEANING', 'DONE', 'ABORTING', 'ABORTED', 'RETURNING')),
  epoch            bigint NOT NULL CHECK (epoch >= 1),
  attempt          int NOT NULL DEFAULT 1 CHECK (attempt >= 1),
  verified_attempt int CHECK (verified_attempt BETWEEN 1 AND attempt),
  lease_owner      text NOT NULL,
  lease_until      timestamptz NOT NULL,
  started_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  phase_since      timestamptz NOT NULL DEFAULT clock_timestamp(),
  reason           text,
  superseded_by    uuid REFERENCES homeshard.move,
  not_before       timestamptz,
  not_after        timestamptz,
  freeze_budget_ms bigint CHECK (freeze_budget_ms > 0),
  report           jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(report) = 'object'),
  CHECK (source <> target),
  CHECK (not_before < not_after)
) WITH (fillfactor = 70);
COMMENT ON COLUMN homeshard.move.verified_attempt IS 'the attempt that was verified; only that one may flip';
CREATE UNIQUE INDEX move_one_unfinished ON homeshard.move (tenant_id)
  WHERE phase NOT IN ('RETAINED', 'CLEANING', 'DONE', 'ABORTED');
CREATE INDEX move_tenant ON homeshard.move (tenant_id, started_at);

CREATE TABLE homeshard.move_step (
  move_id uuid NOT NULL REFERENCES homeshard.move,
  step    bigint GENERATED ALWAYS AS IDENTITY,
  phase   text NOT NULL,
  epoch   bigint NOT NULL,
  attempt int NOT NULL,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  detail  jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
  PRIMARY KEY (move_id, step)
);

-- What was compared when a tenant moved, as text whose bytes are hashed, each with the hash of the tenant's one before.
-- Never changed, never deleted, and not bound to the move's row, which it may outlive.
CREATE TABLE homeshard.move_certificate (
  move_id   uuid PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  number    bigint NOT NULL CHECK (number >= 1),
  previous  text COLLATE "C" CHECK (previous ~ '^[0-9a-f]{64}$'),
  hash      text COLLATE "C" NOT NULL CHECK (hash = encode(sha256(convert_to(body, 'UTF8')), 'hex')),
  body      text COLLATE "C" NOT NULL,
  kept_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (tenant_id, number),
  CHECK ((number = 1) = (previous IS NULL))
);

-- How far the copy of a move is, as its mover said last. A table of its own, not bound to the move's row: it is written
-- often and nothing depends on it.
CREATE TABLE homeshard.move_progress (
  move_id       uuid PRIMARY KEY,
  attempt       int NOT NULL CHECK (attempt >= 1),
  rows          bigint NOT NULL CHECK (rows >= 0),
  bytes         bigint NOT NULL CHECK (bytes >= 0),
  expected_rows  bigint NOT NULL CHECK (expected_rows >= 0),
  expected_bytes bigint NOT NULL CHECK (expected_bytes >= 0),
  complete      boolean NOT NULL,
  elapsed_ms    bigint NOT NULL CHECK (elapsed_ms >= 0),
  at            timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- Values that are unique over all tenants. Pending claims have an expiry, confirmed ones have none.
CREATE TABLE homeshard.claim (
  namespace  text COLLATE "C" NOT NULL CHECK (char_length(namespace) BETWEEN 1 AND 64),
  value      text COLLATE "C" NOT NULL CHECK (char_length(value) BETWEEN 1 AND 512),
  tenant_id  text COLLATE "C" NOT NULL CHECK (char_length(tenant_id) BETWEEN 1 AND 128),
  owner_ref  text COLLATE "C" NOT NULL CHECK (char_length(owner_ref) BETWEEN 1 AND 256),
  state      text NOT NULL CHECK (state IN ('pending', 'confirmed')),
  expires_at timestamptz,
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (namespace, value),
  CHECK ((state = 'pending') = (expires_at IS NOT NULL))
);
CREATE INDEX claim_pending ON homeshard.claim (namespace, expires_at) WHERE state = 'pending';
CREATE INDEX claim_owner ON homeshard.claim (tenant_id);

-- Rows of a tenant that were found on a shard which does not own it, and what became of them: evidence for people.
CREATE TABLE homeshard.gathering (
  id         uuid PRIMARY KEY,
  tenant_id  text COLLATE "C" NOT NULL,
  home       text COLLATE "C" NOT NULL REFERENCES homeshard.shard,
  generation bigint NOT NULL CHECK (generation >= 1),
  epoch      bigint NOT NULL CHECK (epoch >= 1),
  actor      text NOT NULL,
  begun_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at   timestamptz,
  report     jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object')
);
CREATE INDEX gathering_tenant ON homeshard.gathering (tenant_id, begun_at);
