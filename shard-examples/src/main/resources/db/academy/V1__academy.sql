-- An academy sells seats to companies. Every company is a tenant: its column stands first in each key.
CREATE TABLE academy.currencies (
    code        char(3) PRIMARY KEY,
    name        text NOT NULL,
    minor_units smallint NOT NULL
);

INSERT INTO academy.currencies VALUES ('EUR', 'Euro', 2), ('JPY', 'Yen', 0), ('USD', 'US dollar', 2);

CREATE TABLE academy.learners (
    tenant_id   text NOT NULL,
    learner_id  uuid NOT NULL,
    email       text NOT NULL,
    name        text NOT NULL,
    enrolled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, learner_id),
    UNIQUE (tenant_id, email)
);

CREATE TABLE academy.orders (
    tenant_id text NOT NULL,
    order_id  uuid NOT NULL,
    origin    text NOT NULL CHECK (origin IN ('import', 'checkout')),
    currency  char(3) NOT NULL REFERENCES academy.currencies,
    total     numeric(12, 2) NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, order_id)
);

CREATE TABLE academy.order_lines (
    tenant_id text NOT NULL,
    order_id  uuid NOT NULL,
    line_no   int NOT NULL,
    course    text NOT NULL,
    seats     int NOT NULL CHECK (seats > 0),
    price     numeric(10, 2) NOT NULL,
    PRIMARY KEY (tenant_id, order_id, line_no),
    FOREIGN KEY (tenant_id, order_id) REFERENCES academy.orders
);

CREATE TABLE academy.seat_counters (
    tenant_id text NOT NULL,
    course    text NOT NULL,
    seats     bigint NOT NULL,
    PRIMARY KEY (tenant_id, course)
);
