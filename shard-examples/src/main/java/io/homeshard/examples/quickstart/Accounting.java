package io.homeshard.examples.quickstart;

import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Counts every order on every shard over connections of its own, apart from router and mover. */
final class Accounting {
    private static final String ORDERS = "SELECT tenant_id, order_id FROM academy.orders WHERE origin = 'checkout'";

    private final Map<ShardId, Map<UUID, TenantId>> ordersByShard = new HashMap<>();
    private final Map<TenantId, Placement> placements;

    private Accounting(Map<TenantId, Placement> placements) {
        this.placements = placements;
    }

    static Accounting of(Map<ShardId, Database> shards, Map<TenantId, Placement> placements) throws SQLException {
        Accounting accounting = new Accounting(placements);
        for (Map.Entry<ShardId, Database> shard : shards.entrySet()) {
            accounting.ordersByShard.put(shard.getKey(), read(shard.getValue()));
        }
        return accounting;
    }

    private static Map<UUID, TenantId> read(Database shard) throws SQLException {
        Map<UUID, TenantId> orders = new HashMap<>();
        try (Connection connection = shard.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ORDERS)) {
            while (rows.next()) {
                orders.put(rows.getObject(2, UUID.class), TenantId.of(rows.getString(1)));
            }
        }
        return orders;
    }

    /**
     * The verdict.
     *
     * @param acknowledged orders that the clients were told of
     * @param found of these, how many are on the shard that owns their tenant
     * @param lost acknowledged orders that the owner does not have
     * @param duplicated orders that are on two shards, retained copies of a moved tenant apart
     * @param misplaced orders on a shard that does not own their tenant and whose owner does not have them
     * @param retained copies that a moved tenant has left behind
     * @param inDoubt orders whose COMMIT got no answer
     * @param inDoubtFound of these, how many are there
     */
    record Verdict(
            int acknowledged,
            int found,
            int lost,
            int duplicated,
            int misplaced,
            int retained,
            int inDoubt,
            int inDoubtFound) {}

    Verdict verdict(Collection<Acknowledged> acknowledged, Collection<UUID> inDoubt, ShardId oldShard, TenantId moved) {
        Map<UUID, TenantId> owned = new HashMap<>();
        int duplicated = 0;
        for (Map.Entry<ShardId, Map<UUID, TenantId>> shard : ordersByShard.entrySet()) {
            for (Map.Entry<UUID, TenantId> order : shard.getValue().entrySet()) {
                if (owner(order.getValue()).equals(shard.getKey())
                        && owned.put(order.getKey(), order.getValue()) != null) {
                    duplicated++;
                }
            }
        }
        int misplaced = 0;
        int retained = 0;
        for (Map.Entry<ShardId, Map<UUID, TenantId>> shard : ordersByShard.entrySet()) {
            for (Map.Entry<UUID, TenantId> order : shard.getValue().entrySet()) {
                if (owner(order.getValue()).equals(shard.getKey())) {
                    continue;
                }
                boolean left =
                        shard.getKey().equals(oldShard) && order.getValue().equals(moved);
                if (!owned.containsKey(order.getKey())) {
                    misplaced++;
                } else if (left) {
                    retained++;
                } else {
                    duplicated++;
                }
            }
        }
        Set<UUID> lost = new HashSet<>();
        for (Acknowledged order : acknowledged) {
            if (!order.tenant().equals(owned.get(order.order()))) {
                lost.add(order.order());
            }
        }
        int doubtFound = (int) inDoubt.stream().filter(owned::containsKey).count();
        return new Verdict(
                acknowledged.size(),
                acknowledged.size() - lost.size(),
                lost.size(),
                duplicated,
                misplaced,
                retained,
                inDoubt.size(),
                doubtFound);
    }

    private ShardId owner(TenantId tenant) {
        Placement placement = placements.get(tenant);
        if (placement == null) {
            throw new IllegalStateException("a shard has rows of a tenant that the directory does not know");
        }
        return placement.shard();
    }
}
