package io.homeshard.migrate.gather;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.copy.LoadTransaction;
import io.homeshard.migrate.copy.SequenceAdvance;
import io.homeshard.migrate.gather.Stray.Verdict;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One shard that does not own the tenant. Before anything goes there, the shard gets a reservation of the gathering's own:
 * the guard then admits its deletions, and nobody else's writes. It is given up when no row is left.
 */
record StraySide(ShardId shard, Connection reading, Connection writing, TenantCatalog catalog, HomeSide home) {
    /** Counts of one table. */
    private static final class Count {
        private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
        private long brought;
        private long aside;

        void add(Verdict verdict) {
            verdicts.merge(verdict, 1L, Long::sum);
        }

        long of(Verdict verdict) {
            return verdicts.getOrDefault(verdict, 0L);
        }
    }

    /** Tables in which there are rows, compared with the home. */
    List<StrayTable> compare() throws SQLException {
        Map<TableName, Count> counts = new TreeMap<>();
        for (TenantTable table : catalog.tables()) {
            RowShape shape = RowShape.read(writing, table);
            Count count = new Count();
            strays().pages(shape, page -> home.compare(shape, page).forEach(count::add));
            counts.put(table.name(), count);
        }
        return tables(counts);
    }

    /** The same, and what was ordered. */
    List<StrayTable> gather(WriteGuard guard, MoverToken token, long generation, UUID gathering, Handling handling)
            throws SQLException {
        SideEffects here = new SideEffects(shard, writing, catalog);
        LoadMode mode = here.ofRemoval();
        guard.takeOver(writing, token);
        require(guard.reserve(writing, token, generation), "reserve");
        Map<TableName, Count> counts = new TreeMap<>();
        List<StrayTable> before = compare();
        catalog.tables().forEach(table -> counts.put(table.name(), new Count()));
        for (TenantTable table : catalog.tables()) {
            if (before.stream().anyMatch(stray -> stray.table().equals(table.name()))) {
                // in the mode of the removal: where keys are not enforced, each of them is asked
                LoadTransaction.run(writing, mode, session -> here.requireNoHangers(table, token.tenant()));
            }
        }
        if (handling == Handling.BRING_HOME) {
            new SideEffects(home.shard(), home.connection(), catalog).requireQuietInserts(missing(before));
            for (TenantTable table : catalog.tables()) {
                bring(table, token, count(counts, table));
            }
            SequenceAdvance.advance(home.connection(), catalog, writing);
        }
        for (int i = catalog.tables().size() - 1; i >= 0; i--) {
            TenantTable table = catalog.tables().get(i);
            remove(table, new Removal(mode, guard, token, gathering), count(counts, table));
        }
        require(guard.release(writing, token, generation), "release");
        return before.stream().map(table -> with(table, counts)).toList();
    }

    private static Set<TableName> missing(List<StrayTable> strays) {
        return strays.stream()
                .filter(table -> table.missing() > 0)
                .map(StrayTable::table)
                .collect(Collectors.toSet());
    }

    private static Count count(Map<TableName, Count> counts, TenantTable table) {
        return counts.computeIfAbsent(table.name(), name -> new Count());
    }

    private void bring(TenantTable table, MoverToken token, Count count) throws SQLException {
        RowShape shape = RowShape.read(writing, table);
        strays().pages(shape, page -> {
            List<Verdict> verdicts = home.compare(shape, page);
            List<Stray> missing = new ArrayList<>();
            for (int i = 0; i < page.size(); i++) {
                if (verdicts.get(i) == Verdict.MISSING) {
                    missing.add(page.get(i));
                }
            }
            if (!missing.isEmpty()) {
                count.brought += home.write(shape, missing, token);
            }
        });
    }

    /** Under what rows go. */
    private record Removal(LoadMode mode, WriteGuard guard, MoverToken token, UUID gathering) {}

    private void remove(TenantTable table, Removal removal, Count count) throws SQLException {
        RowShape shape = RowShape.read(writing, table);
        strays().pages(shape, page -> {
            List<Verdict> verdicts = home.compare(shape, page);
            String[] why = verdicts.stream().map(Verdict::why).toArray(String[]::new);
            String tenant = removal.token().tenant().value();
            count.aside += LoadTransaction.run(writing, removal.mode(), session -> {
                removal.guard().enterMover(session, removal.token());
                return Jdbc.one(
                        session,
                        shape.remove(),
                        row -> kept(table, page.size(), row.getLong(1), row.getLong(2)),
                        HomeSide.column(page, Stray::relation),
                        HomeSide.column(page, Stray::place),
                        why,
                        tenant,
                        tenant,
                        tenant,
                        tenant,
                        removal.gathering(),
                        table.name().schema(),
                        table.name().name());
            });
        });
    }

    private static long kept(TenantTable table, long expected, long gone, long kept) {
        if (gone != expected) {
            throw new GatherException(
                    "table " + table.name() + " - rows are not where they were read (read=" + expected + ", found="
                            + gone + "); gather again",
                    null);
        }
        return kept;
    }

    private List<StrayTable> tables(Map<TableName, Count> counts) throws SQLException {
        List<StrayTable> tables = new ArrayList<>();
        for (TableDigest digest : TenantDigest.read(writing, catalog, home.tenant())) {
            Count count = counts.get(digest.table());
            if (digest.rows() > 0 && count != null) {
                tables.add(new StrayTable(
                        shard,
                        digest.table(),
                        digest.rows(),
                        digest.high(),
                        digest.low(),
                        count.of(Verdict.IDENTICAL),
                        count.of(Verdict.DIFFERING),
                        count.of(Verdict.MISSING),
                        0,
                        0));
            }
        }
        return tables;
    }

    private static StrayTable with(StrayTable t, Map<TableName, Count> counts) {
        Count count = counts.getOrDefault(t.table(), new Count());
        return new StrayTable(
                t.shard(),
                t.table(),
                t.rows(),
                t.high(),
                t.low(),
                t.identical(),
                t.differing(),
                t.missing(),
                count.brought,
                count.aside);
    }

    private StrayReading strays() {
        return new StrayReading(reading, home.tenant());
    }

    private void require(StepResult result, String step) {
        if (!result.ok()) {
            throw new GatherException("shard " + shard + " - " + step + " " + result + "; gather again", null);
        }
    }
}
