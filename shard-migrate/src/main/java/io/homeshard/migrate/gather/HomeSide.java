package io.homeshard.migrate.gather;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.ShardMending;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.gather.Stray.Verdict;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The shard that owns the tenant: rows are compared with it, and written there while the tenant's writers wait. */
record HomeSide(
        ShardId shard, Connection connection, TenantId tenant, long generation, Clocks clocks, Duration patience) {
    private static final Duration TRY = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final String INTEGRITY = "23";
    private static final String IMMEDIATE = "SET CONSTRAINTS ALL IMMEDIATE";

    /** A verdict for each row of a page. */
    List<Verdict> compare(RowShape shape, List<Stray> page) throws SQLException {
        List<Object> parameters = new ArrayList<>();
        if (shape.key().isEmpty()) {
            parameters.add(column(page, Stray::hash));
        }
        for (int i = 0; i < shape.key().size(); i++) {
            int at = i;
            parameters.add(column(page, row -> row.key().get(at)));
        }
        for (int i = 0; i < RowShape.bound(); i++) {
            parameters.add(tenant.value());
        }
        Map<Integer, String> found = new HashMap<>();
        PinnedTransaction.write(
                        connection,
                        home -> Jdbc.list(
                                home,
                                shape.atHome(),
                                row -> Map.entry(row.getInt(1) - 1, row.getString(2)),
                                parameters.toArray()))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < page.size(); i++) {
            String hash = found.get(i);
            verdicts.add(
                    hash == null
                            ? Verdict.MISSING
                            : hash.equals(page.get(i).hash()) ? Verdict.IDENTICAL : Verdict.DIFFERING);
        }
        return verdicts;
    }

    /** Writes rows there; those that a key or check of the home refuses stay where they are. Returns how many came. */
    long write(RowShape shape, List<Stray> rows, MoverToken token) throws SQLException {
        try {
            return together(shape, rows, token);
        } catch (SQLException e) {
            if (SqlStates.find(e, INTEGRITY) == null || rows.size() == 1) {
                if (SqlStates.find(e, INTEGRITY) != null) {
                    return 0;
                }
                throw e;
            }
        }
        long written = 0;
        for (Stray row : rows) {
            written += write(shape, List.of(row), token);
        }
        return written;
    }

    private long together(RowShape shape, List<Stray> rows, MoverToken token) throws SQLException {
        List<Object> parameters = new ArrayList<>();
        for (int i = 0; i < shape.written().size(); i++) {
            int at = i;
            parameters.add(column(rows, row -> row.values().get(at)));
        }
        long deadline = clocks.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return PinnedTransaction.write(connection, home -> {
                    StepResult held = ShardMending.create().hold(home, token, generation, TRY);
                    if (!held.ok()) {
                        throw new GatherException(
                                "home of the tenant - " + held + "; reconcile, then gather again", null);
                    }
                    if (shape.deferrable()) {
                        Jdbc.run(home, IMMEDIATE);
                    }
                    return (long) Jdbc.update(home, shape.insert(), parameters.toArray());
                });
            } catch (SQLException e) {
                if (SqlStates.find(e, SqlStates.LOCK_TIMEOUT) == null || clocks.nanoTime() > deadline) {
                    throw e;
                }
            }
            pause();
        }
    }

    private void pause() {
        try {
            clocks.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GatherException("gathering was interrupted; repeat it", e);
        }
    }

    static @Nullable String[] column(List<Stray> rows, Function<Stray, @Nullable String> value) {
        @Nullable String[] texts = new @Nullable String[rows.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = value.apply(rows.get(i));
        }
        return texts;
    }
}
