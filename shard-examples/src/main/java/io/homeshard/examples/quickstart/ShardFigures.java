package io.homeshard.examples.quickstart;

import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one shard holds at one moment.
 *
 * @param tenants tenants that the directory places there
 * @param rows rows of all tenant tables, retained ones included
 * @param orders sum of the orders' totals of the tenants that the shard owns
 */
record ShardFigures(int tenants, long rows, BigDecimal orders) {
    private static final String ROWS = """
            SELECT (SELECT count(*) FROM academy.learners) + (SELECT count(*) FROM academy.orders)
                 + (SELECT count(*) FROM academy.order_lines) + (SELECT count(*) FROM academy.seat_counters),
                   (SELECT coalesce(sum(o.total), 0) FROM academy.orders o
                      JOIN homeshard.ownership w USING (tenant_id) WHERE w.state = 'owned')""";

    static Map<ShardId, ShardFigures> read(Map<ShardId, Database> shards, Map<TenantId, Placement> placements)
            throws SQLException {
        Map<ShardId, ShardFigures> figures = new TreeMap<>();
        for (Map.Entry<ShardId, Database> shard : shards.entrySet()) {
            int tenants = (int) placements.values().stream()
                    .filter(placement -> placement.shard().equals(shard.getKey()))
                    .count();
            try (Connection connection = shard.getValue().connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(ROWS)) {
                row.next();
                figures.put(shard.getKey(), new ShardFigures(tenants, row.getLong(1), row.getBigDecimal(2)));
            }
        }
        return figures;
    }
}
