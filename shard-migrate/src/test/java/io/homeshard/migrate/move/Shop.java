package io.homeshard.migrate.move;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.util.List;

/** Tables with what usually gets in the way: keys, references, identity, defaults, generated columns, odd types. */
final class Shop {
    static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .tenantTable("app.z_company", "id")
            .reference("app.currencies")
            .build();

    static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.currencies (code text PRIMARY KEY);
            INSERT INTO app.currencies VALUES ('EUR'), ('USD');
            CREATE SEQUENCE app.invoice_number;
            CREATE TYPE app.mood AS ENUM ('calm', 'busy');
            CREATE TABLE app.z_company (id text PRIMARY KEY, name text NOT NULL, mood app.mood);
            CREATE TABLE app.m_orders (
              tenant_id text NOT NULL REFERENCES app.z_company,
              id bigint GENERATED ALWAYS AS IDENTITY,
              parent bigint,
              number bigint NOT NULL DEFAULT nextval('app.invoice_number'),
              currency text NOT NULL DEFAULT 'EUR' REFERENCES app.currencies,
              price numeric(12,2) NOT NULL DEFAULT 1.50,
              quantity int NOT NULL DEFAULT 2,
              total numeric GENERATED ALWAYS AS (price * quantity) STORED,
              note text, payload jsonb, blob bytea, at timestamptz DEFAULT clock_timestamp(), ratio float8,
              PRIMARY KEY (tenant_id, id),
              FOREIGN KEY (tenant_id, parent) REFERENCES app.m_orders);
            CREATE TABLE app.a_lines (
              tenant_id text NOT NULL, order_id bigint NOT NULL, line int NOT NULL, text varchar(80),
              PRIMARY KEY (tenant_id, order_id, line),
              FOREIGN KEY (tenant_id, order_id) REFERENCES app.m_orders ON DELETE CASCADE);
            CREATE TABLE app.events (tenant_id text NOT NULL, id uuid NOT NULL DEFAULT gen_random_uuid(),
              tags text[], PRIMARY KEY (tenant_id, id)) PARTITION BY HASH (tenant_id);
            CREATE TABLE app.events_0 PARTITION OF app.events FOR VALUES WITH (MODULUS 2, REMAINDER 0);
            CREATE TABLE app.events_1 PARTITION OF app.events FOR VALUES WITH (MODULUS 2, REMAINDER 1);
            """;

    /** All rows of all tables as text, those of one tenant or those of all others. */
    private static final String ROWS = """
            SELECT t || ' ' || r FROM (
              SELECT id AS tenant, 'z_company' AS t, x::text AS r FROM app.z_company x
              UNION ALL SELECT tenant_id, 'm_orders', x::text FROM app.m_orders x
              UNION ALL SELECT tenant_id, 'a_lines', x::text FROM app.a_lines x
              UNION ALL SELECT tenant_id, 'events', x::text FROM app.events x) all_rows
             WHERE (tenant = ?) = ? ORDER BY 1
            """;

    private Shop() {}

    /** Gives a tenant rows in every table: orders with lines, each order referring to a later one where it can. */
    static void fill(MoveLab lab, ShardId shard, TenantId tenant, int orders) {
        String t = tenant.value();
        lab.run(shard, "INSERT INTO app.z_company VALUES (?, 'n:' || ?, 'busy')", t, t);
        lab.run(shard, """
                INSERT INTO app.m_orders (tenant_id, price, note, payload, blob, ratio)
                SELECT ?, g + 0.25, CASE g % 3 WHEN 0 THEN NULL WHEN 1 THEN E'a\\tb\\nc\\\\.' ELSE 'x' || g END,
                       jsonb_build_object('n', g), decode('00ff5c', 'hex'), g / 3.0
                  FROM generate_series(1, ?) g
                """, t, orders);
        lab.run(shard, """
                UPDATE app.m_orders o SET parent = o.id + 1
                 WHERE tenant_id = ? AND EXISTS (SELECT FROM app.m_orders p WHERE p.tenant_id = o.tenant_id AND p.id = o.id + 1)
                """, t);
        lab.run(shard, """
                INSERT INTO app.a_lines SELECT tenant_id, id, l, 'line ' || l
                  FROM app.m_orders, generate_series(1, 2) l WHERE tenant_id = ?
                """, t);
        lab.run(
                shard,
                "INSERT INTO app.events (tenant_id, tags) SELECT ?, '{a,\"b c\",NULL}' FROM generate_series(1, 5)",
                t);
    }

    static List<String> rowsOf(MoveLab lab, ShardId shard, TenantId tenant) {
        return lab.query(shard, ROWS, tenant.value(), true);
    }

    static List<String> rowsOfOthers(MoveLab lab, ShardId shard, TenantId tenant) {
        return lab.query(shard, ROWS, tenant.value(), false);
    }

    /** A write that any mover must leave possible: returns the new order's id. */
    static long order(MoveLab lab, ShardId shard, TenantId tenant) {
        return lab.count(shard, "INSERT INTO app.m_orders (tenant_id) VALUES (?) RETURNING id", tenant.value());
    }
}
