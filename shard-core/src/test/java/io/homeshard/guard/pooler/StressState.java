package io.homeshard.guard.pooler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What one client has made of its rows. Rows belong to one client, so that what it was told alone decides how they must
 * look.
 *
 * @param rows by key
 */
record StressState(Map<Long, Row> rows) {
    StressState {
        rows = Map.copyOf(rows);
    }

    /**
     * One row.
     *
     * @param tenant whose it is
     * @param value what it holds
     */
    record Row(String tenant, long value) {}

    static StressState empty() {
        return new StressState(Map.of());
    }

    StressState with(long key, Row row) {
        Map<Long, Row> next = new HashMap<>(rows);
        next.put(key, row);
        return new StressState(next);
    }

    StressState without(long key) {
        Map<Long, Row> next = new HashMap<>(rows);
        next.remove(key);
        return new StressState(next);
    }

    /** A key; there must be one. */
    long anyKey(Random random) {
        List<Long> keys = rows.keySet().stream().sorted().toList();
        return keys.get(random.nextInt(keys.size()));
    }

    /** The rows of a tenant that all clients together must have left, as {@link PooledShard#rows} shows them. */
    static List<String> rowsOf(String tenant, List<StressState> states) {
        Map<Long, Long> all = new TreeMap<>();
        for (StressState state : states) {
            state.rows.forEach((key, row) -> {
                if (row.tenant().equals(tenant)) {
                    all.put(key, row.value());
                }
            });
        }
        List<String> lines = new ArrayList<>();
        all.forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }
}
