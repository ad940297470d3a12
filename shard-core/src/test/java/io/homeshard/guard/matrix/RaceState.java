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
 * @param rows value by key
 * @param counted how often it added one to the shared row
 */
record RaceState(Map<Long, Long> rows, long counted) {
    /** Key of the shared row. */
    static final long SHARED = 0;

    RaceState {
        rows = Map.copyOf(rows);
    }

    static RaceState empty() {
        return new RaceState(Map.of(), 0);
    }

    RaceState with(long key, long value) {
        Map<Long, Long> next = new HashMap<>(rows);
        next.put(key, value);
        return new RaceState(next, counted);
    }

    RaceState without(long key) {
        Map<Long, Long> next = new HashMap<>(rows);
        next.remove(key);
        return new RaceState(next, counted);
    }

    RaceState countedOnce() {
        return new RaceState(rows, counted + 1);
    }

    /** Any key; there must be one. */
    long anyKey(Random random) {
        List<Long> keys = rows.keySet().stream().sorted().toList();
        return keys.get(random.nextInt(keys.size()));
    }

    /** The rows that all writers together must have left, as {@code key=value}, in order. */
    static List<String> ledger(List<RaceState> states) {
        Map<Long, Long> all = new TreeMap<>();
        states.forEach(state -> all.putAll(state.rows));
        all.put(SHARED, states.stream().mapToLong(RaceState::counted).sum());
        List<String> lines = new ArrayList<>();
        all.forEach((key, value) -> lines.add(key + "=" + value));
        return lines;
    }
}
