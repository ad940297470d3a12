package io.homeshard.guard.matrix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What one writer has made of its rows, and how often it has counted. Rows belong to one writer, so that what it was
 * told alone decides how they must look.
 *
 * @param rows by key
 * @param counted how often it added one to the shared row of each tenant
 */
record RaceState(Map<Long, RaceRow> rows, Map<String, Long> counted) {
    /** Key of the row of each tenant that all writers share. */
    static final long SHARED = 0;

    RaceState {
        rows = Map.copyOf(rows);
        counted = Map.copyOf(counted);
    }

    static RaceState empty() {
        return new RaceState(Map.of(), Map.of());
    }

    RaceState with(long key, RaceRow row) {
        Map<Long, RaceRow> next = new HashMap<>(rows);
        next.put(key, row);
        return new RaceState(next, counted);
    }

    RaceState without(long key) {
        Map<Long, RaceRow> next = new HashMap<>(rows);
        next.remove(key);
        return new RaceState(next, counted);
    }

    RaceState countedOnce(String tenant) {
        Map<String, Long> next = new HashMap<>(counted);
        next.merge(tenant, 1L, Long::sum);
        return new RaceState(rows, next);
    }

    /** Keys of a tenant's rows, in order. */
    List<Long> keys(String tenant) {
        return rows.keySet().stream()
                .filter(key -> row(key).tenant().equals(tenant))
                .sorted()
                .toList();
    }

    /** Any key of a tenant; there must be one. */
    long anyKey(String tenant, Random random) {
        List<Long> keys = keys(tenant);
        return keys.get(random.nextInt(keys.size()));
    }

    RaceRow row(long key) {
        RaceRow row = rows.get(key);
        if (row == null) {
            throw new IllegalArgumentException("no row " + key);
        }
        return row;
    }

    /** The tenant's rows that all writers together must have left, as {@code key=value}, in order. */
    static List<String> ledger(List<RaceState> states, String tenant) {
        Map<Long, Long> all = new TreeMap<>();
        states.forEach(state ->
                state.keys(tenant).forEach(key -> all.put(key, state.row(key).value())));
        all.put(
                SHARED,
                states.stream()
                        .mapToLong(state -> state.counted().getOrDefault(tenant, 0L))
                        .sum());
        List<String> lines = new ArrayList<>();
        all.forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }
}
