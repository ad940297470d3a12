package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Every write of one tenant with what its writer was told, and the comparison with the rows that are there. A write
 * names itself in a table without any key, so that rows that came twice can be seen. Thread-safe.
 */
final class RoundsLedger {
    static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.entries (tenant_id text NOT NULL, id bigint NOT NULL, val bigint NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.counter (tenant_id text PRIMARY KEY, n bigint NOT NULL);
            CREATE TABLE app.log (tenant_id text NOT NULL, op text NOT NULL);
            CREATE INDEX ON app.log (tenant_id);
            """;
    private static final String OPS = "SELECT op FROM app.log WHERE tenant_id = ?";
    private static final String ENTRIES = "SELECT id, val FROM app.entries WHERE tenant_id = ?";
    private static final String COUNTER = "SELECT n FROM app.counter WHERE tenant_id = ?";

    /** What the writer was told. */
    enum Outcome {
        ACKNOWLEDGED,
        REFUSED,
        UNKNOWN
    }

    /**
     * A transaction.
     *
     * @param op its name, a row of {@code app.log}
     * @param after rows of {@code app.entries} after it; empty where it deletes
     * @param counts whether it increments the counter
     */
    record Write(String op, Map<Long, Optional<Long>> after, boolean counts) {}

    /** How many writes are not as they were acknowledged. */
    record Verdict(int lost, int resurrected, int doubled, List<String> which) {
        boolean clean() {
            return lost == 0 && resurrected == 0 && doubled == 0;
        }

        @Override
        public String toString() {
            return "lost=" + lost + " resurrected=" + resurrected + " doubled=" + doubled;
        }
    }

    private final TenantId tenant;
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final Map<Long, Set<Optional<Long>>> entries = new ConcurrentHashMap<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong increments = new AtomicLong();
    private final AtomicLong perhaps = new AtomicLong();

    RoundsLedger(TenantId tenant) {
        this.tenant = tenant;
    }

    TenantId tenant() {
        return tenant;
    }

    void record(Write write, Outcome outcome) {
        outcomes.put(write.op(), outcome);
        if (outcome == Outcome.ACKNOWLEDGED) {
            acknowledged.incrementAndGet();
        }
        if (outcome == Outcome.REFUSED) {
            return;
        }
        write.after()
                .forEach((id, value) -> entries.merge(id, Set.of(value), (before, now) -> {
                    Set<Optional<Long>> both = new HashSet<>(now);
                    if (outcome == Outcome.UNKNOWN) {
                        both.addAll(before);
                    }
                    return both;
                }));
        if (outcome == Outcome.UNKNOWN) {
            write.after().keySet().forEach(id -> entries.computeIfPresent(id, (i, known) -> orAbsent(known)));
        }
        if (write.counts()) {
            (outcome == Outcome.UNKNOWN ? perhaps : increments).incrementAndGet();
        }
    }

    /** An insert that nobody knows of may have left nothing. */
    private static Set<Optional<Long>> orAbsent(Set<Optional<Long>> known) {
        if (known.size() > 1) {
            return known;
        }
        Set<Optional<Long>> both = new HashSet<>(known);
        both.add(Optional.empty());
        return both;
    }

    /** How many writes were acknowledged so far. */
    long acknowledged() {
        return acknowledged.get();
    }

    long count(Outcome outcome) {
        return outcomes.values().stream().filter(o -> o == outcome).count();
    }

    /** Compares with the rows on the shard that owns the tenant; nobody may be writing. */
    Verdict judge(MoveLab lab, ShardId owner) throws SQLException {
        Judging judging = new Judging();
        try (Connection connection = lab.connect(owner)) {
            judging.ops(Jdbc.list(connection, OPS, row -> row.getString(1), tenant.value()));
            Map<Long, Long> found = new HashMap<>();
            Jdbc.list(connection, ENTRIES, row -> found.put(row.getLong(1), row.getLong(2)), tenant.value());
            judging.entries(found);
            judging.counter(Jdbc.one(connection, COUNTER, row -> row.getLong(1), tenant.value()));
        }
        return new Verdict(judging.lost, judging.resurrected, judging.doubled, judging.which);
    }

    /** One comparison. */
    private final class Judging {
        private int lost;
        private int resurrected;
        private int doubled;
        private final List<String> which = new ArrayList<>();

        private void ops(List<String> found) {
            Map<String, Integer> times = new HashMap<>();
            found.forEach(op -> times.merge(op, 1, Integer::sum));
            outcomes.forEach((op, outcome) -> {
                int n = times.getOrDefault(op, 0);
                if (n == 0 && outcome == Outcome.ACKNOWLEDGED) {
                    lost++;
                    which.add("acknowledged and not there: " + op);
                } else if (n > 0 && outcome == Outcome.REFUSED) {
                    resurrected++;
                    which.add("refused and there: " + op);
                } else if (n > 1) {
                    doubled++;
                    which.add(n + " times: " + op);
                }
            });
            times.keySet().removeAll(outcomes.keySet());
            resurrected += times.size();
            times.keySet().forEach(op -> which.add("nobody's: " + op));
        }

        private void entries(Map<Long, Long> found) {
            Set<Long> ids = new HashSet<>(found.keySet());
            ids.addAll(entries.keySet());
            for (Long id : ids) {
                Optional<Long> value = Optional.ofNullable(found.get(id));
                Set<Optional<Long>> known = entries.getOrDefault(id, Collections.singleton(Optional.empty()));
                if (known.contains(value)) {
                    continue;
                }
                if (known.contains(Optional.<Long>empty())) {
                    resurrected++;
                } else {
                    lost++;
                }
                which.add("entry " + id + " is " + value + ", acknowledged " + known);
            }
        }

        private void counter(long n) {
            long atLeast = increments.get();
            long atMost = atLeast + perhaps.get();
            if (n < atLeast) {
                lost += Math.toIntExact(atLeast - n);
                which.add("counter " + n + " < " + atLeast);
            } else if (n > atMost) {
                doubled += Math.toIntExact(n - atMost);
                which.add("counter " + n + " > " + atMost);
            }
        }
    }
}
