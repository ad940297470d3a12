package io.homeshard.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What was acknowledged to the writers, and what must hold at every moment of the shards' committed state. */
final class Ledger implements AutoCloseable {
    private static final String LOOK = """
            SELECT COALESCE(o.state, 'none'), COALESCE(o.generation, 0), COALESCE(f.epoch, 0),
                   COALESCE((SELECT string_agg(r.id || '=' || r.val, ',' ORDER BY r.id) FROM app.rows r
                              WHERE r.tenant_id = t.t), '')
              FROM (SELECT CAST(? AS text) AS t) t
              LEFT JOIN homeshard.ownership o ON o.tenant_id = t.t
              LEFT JOIN homeshard.mover_fence f ON f.tenant_id = t.t
            """;

    /** What a shard says. */
    record Seen(ShardId shard, String state, long generation, long epoch, String rows) {}

    final SortedMap<Integer, Integer> acknowledged = new TreeMap<>();
    private final TenantId tenant;
    private final AttackLab lab;
    private final List<Connection> shards = new ArrayList<>();
    private final long[] epochs;
    private long generation;
    private long placed;

    Ledger(AttackLab lab, TenantId tenant) throws SQLException {
        this.lab = lab;
        this.tenant = tenant;
        int count = lab.cluster.shards().size();
        for (int i = 1; i <= count; i++) {
            shards.add(lab.impatient(lab.shard(i)));
        }
        this.epochs = new long[count];
    }

    List<Seen> look() throws SQLException {
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            ShardId shard = lab.shard(i + 1);
            seen.add(Jdbc.one(
                    shards.get(i),
                    LOOK,
                    row -> new Seen(shard, row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)),
                    tenant.value()));
        }
        return seen;
    }

    String expected() {
        return acknowledged.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(","));
    }

    /** The directory knows less than it did: the placement may go back, the shards may not. */
    void directoryLost() {
        placed = 0;
    }

    void check(List<String> history) throws SQLException {
        List<Seen> seen = look();
        String story = seen + " after " + history.subList(Math.max(0, history.size() - 60), history.size());
        List<Seen> owners = seen.stream().filter(s -> s.state().equals("owned")).toList();
        assertThat(owners).as("owners, %s", story).hasSizeLessThan(2);
        for (Seen owner : owners) {
            assertThat(owner.rows()).as("rows of the owner, %s", story).isEqualTo(expected());
            assertThat(owner.generation()).as("generation, %s", story).isGreaterThanOrEqualTo(generation);
            generation = owner.generation();
        }
        if (owners.isEmpty()) {
            assertThat(seen.stream().filter(s -> !s.state().equals("none")).map(Seen::rows))
                    .as("somebody has everything, %s", story)
                    .contains(expected());
        }
        for (int i = 0; i < epochs.length; i++) {
            assertThat(seen.get(i).epoch()).as("epoch, %s", story).isGreaterThanOrEqualTo(epochs[i]);
            epochs[i] = seen.get(i).epoch();
        }
        long now = lab.directory.find(tenant).orElseThrow().generation();
        assertThat(now).as("generation of the placement, %s", story).isGreaterThanOrEqualTo(placed);
        placed = now;
    }

    @Override
    public void close() throws SQLException {
        for (Connection shard : shards) {
            shard.close();
        }
    }
}
