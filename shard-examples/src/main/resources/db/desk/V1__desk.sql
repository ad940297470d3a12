-- A support desk as teams have them: identities, a trigger, an enum, replies that refer to replies, files.
CREATE SCHEMA desk;

CREATE TABLE desk.priorities (
  priority text PRIMARY KEY,
  hours    int NOT NULL
);
INSERT INTO desk.priorities VALUES ('low', 72), ('normal', 24), ('high', 4);

CREATE TYPE desk.status AS ENUM ('open', 'waiting', 'closed');

CREATE TABLE desk.customers (
  tenant_id   text NOT NULL,
  customer_id bigint GENERATED ALWAYS AS IDENTITY,
  name        text NOT NULL,
  PRIMARY KEY (tenant_id, customer_id)
);

CREATE TABLE desk.tickets (
  tenant_id   text NOT NULL,
  ticket_id   bigint GENERATED ALWAYS AS IDENTITY,
  customer_id bigint NOT NULL,
  duplicate_of bigint,
  priority    text NOT NULL REFERENCES desk.priorities,
  status      desk.status NOT NULL DEFAULT 'open',
  subject     text NOT NULL,
  details     jsonb NOT NULL DEFAULT '{}',
  words       int GENERATED ALWAYS AS (array_length(string_to_array(subject, ' '), 1)) STORED,
  touched_at  timestamptz,
  PRIMARY KEY (tenant_id, ticket_id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES desk.customers,
  FOREIGN KEY (tenant_id, duplicate_of) REFERENCES desk.tickets
);

CREATE TABLE desk.messages (
  tenant_id  text NOT NULL,
  ticket_id  bigint NOT NULL,
  message_no int NOT NULL,
  body       text NOT NULL,
  file       bytea,
  PRIMARY KEY (tenant_id, ticket_id, message_no),
  FOREIGN KEY (tenant_id, ticket_id) REFERENCES desk.tickets
);

CREATE FUNCTION desk.touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.touched_at := now();
  RETURN NEW;
END $$;
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON desk.tickets FOR EACH ROW EXECUTE FUNCTION desk.touch();
