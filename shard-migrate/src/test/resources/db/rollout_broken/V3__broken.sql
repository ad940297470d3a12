CREATE TABLE app.tag (tenant_id text NOT NULL PRIMARY KEY);
SELECT 1 / count(*) FROM app.note;
