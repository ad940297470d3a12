CREATE TABLE app.currencies (code text PRIMARY KEY);
CREATE TABLE app.note (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
