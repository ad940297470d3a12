CREATE INDEX CONCURRENTLY note_body ON app.note (tenant_id, body);
