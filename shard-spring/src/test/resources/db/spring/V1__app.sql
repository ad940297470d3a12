CREATE SCHEMA IF NOT EXISTS app;
CREATE TABLE app.note (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
