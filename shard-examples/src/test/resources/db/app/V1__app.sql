CREATE SCHEMA IF NOT EXISTS app;
CREATE TABLE app.currencies (code char(3) PRIMARY KEY);
CREATE TABLE app.orders (tenant_id text NOT NULL, order_id uuid NOT NULL, PRIMARY KEY (tenant_id, order_id));
