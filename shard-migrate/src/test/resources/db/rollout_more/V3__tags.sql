CREATE TABLE app.tag (
    tenant_id text NOT NULL,
    name      text NOT NULL,
    PRIMARY KEY (tenant_id, name)
);
