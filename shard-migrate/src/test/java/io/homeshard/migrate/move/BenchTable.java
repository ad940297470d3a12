package io.homeshard.migrate.move;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;

/** The table whose copying is measured: rows of some 300 bytes, a primary key and a second index. */
final class BenchTable {
    static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    static final String COLUMNS = "tenant_id, id, reference, status, customer, note, amount, placed_at, payload";

    private static final String CREATE = """
            CREATE TABLE app.orders (
              tenant_id text NOT NULL, id bigint NOT NULL, reference uuid NOT NULL, status text NOT NULL,
              customer text NOT NULL, note text, amount numeric(12,2) NOT NULL, placed_at timestamptz NOT NULL,
              payload jsonb, PRIMARY KEY (tenant_id, id));
            CREATE INDEX orders_placed ON app.orders (tenant_id, placed_at);
            """;

    static final String DDL = "CREATE SCHEMA app;" + CREATE;

    private static final String FILL = """
            INSERT INTO app.orders
            SELECT ?, i, gen_random_uuid(), (ARRAY['open', 'paid', 'sent'])[1 + i % 3], 'customer ' || md5(i::text),
                   repeat(md5((i * 7)::text), 4), i % 10000 / 7.0, timestamptz '2025-01-01Z' + i * interval '1 minute',
                   jsonb_build_object('lines', i % 9, 'coupon', md5((i % 100)::text))
              FROM generate_series(1, ?) i
            """;

    private BenchTable() {}

    static void fill(MoveLab lab, ShardId shard, TenantId tenant, int rows) {
        lab.run(shard, FILL, tenant.value(), rows);
        lab.run(shard, "ANALYZE app.orders");
    }

    /** Takes the table away and makes it anew, without guard. */
    static void renew(Connection connection) throws SQLException {
        MoveLab.execute(connection, "DROP TABLE app.orders;" + CREATE);
    }
}
