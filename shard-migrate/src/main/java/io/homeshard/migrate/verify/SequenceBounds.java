package io.homeshard.migrate.verify;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.SequenceColumn;
import io.homeshard.migrate.catalog.TableSequence;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a target's sequences must have come before a tenant writes there: past where the source's stood, past the
 * tenant's own values and past all values that the target has. Immutable.
 *
 * @param first by sequence the value from which on the target's may go on, at least
 */
public record SequenceBounds(Map<TableName, BigDecimal> first) {
    private static final String STATE = """
            SELECT s.last_value + CASE WHEN s.is_called THEN q.seqincrement::numeric ELSE 0 END, q.seqincrement > 0,
                   q.seqincrement::numeric, q.seqmin::numeric, q.seqmax::numeric
              FROM %s s, pg_sequence q WHERE q.seqrelid = CAST(? AS regclass)
            """;
    private static final String OF_TENANT = "SELECT %s(x.%s)::numeric FROM %s x WHERE %s";
    private static final String OF_ALL = "SELECT %s(x.%s)::numeric FROM %s x WHERE x.%s BETWEEN %s AND %s";
    // without such an index the question would read the rows of all tenants
    private static final String LEADS_AN_INDEX = """
            SELECT EXISTS (SELECT FROM pg_index i JOIN pg_am m ON m.amname = 'btree'
              JOIN pg_class c ON c.oid = i.indexrelid AND c.relam = m.oid
              JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = CAST(? AS regclass) AND a.attname = ? AND i.indisvalid AND i.indpred IS NULL)
            """;

    /** Keeps its own copy of the map. */
    public SequenceBounds {
        first = Collections.unmodifiableMap(new TreeMap<>(first));
    }

    private record State(BigDecimal next, boolean up, BigDecimal step, BigDecimal min, BigDecimal max) {
        boolean beyond(BigDecimal value, BigDecimal other) {
            return up ? value.compareTo(other) > 0 : value.compareTo(other) < 0;
        }

        boolean holds(BigDecimal value) {
            return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
        }

        /** Hands out nothing any more, so that it cannot hand out anything twice. */
        boolean usedUp() {
            return beyond(next, up ? max : min);
        }
    }

    /**
     * Reads the bounds that a frozen source sets.
     *
     * @param source the source, in autocommit; left so
     * @param catalog its sequences and tables
     * @param tenant the tenant
     * @return the bounds
     * @throws SQLException as the driver says
     */
    public static SequenceBounds read(Connection source, TenantCatalog catalog, TenantId tenant) throws SQLException {
        return PinnedTransaction.read(source, connection -> {
            Map<TableName, BigDecimal> first = new TreeMap<>();
            for (TableSequence sequence : catalog.sequences()) {
                State state = state(connection, sequence.name());
                BigDecimal bound = state.next();
                for (SequenceColumn column : sequence.columns()) {
                    Optional<BigDecimal> extreme = ofTenant(connection, catalog, column, state, tenant);
                    bound = further(state, bound, extreme);
                }
                first.put(sequence.name(), bound);
            }
            return new SequenceBounds(first);
        });
    }

    /**
     * Compares a target's sequences with these bounds, and with all values that the target has.
     *
     * @param target the target, in autocommit; left so
     * @param catalog its sequences and tables
     * @return the sequences that would hand out a value again; empty when all is well
     * @throws SQLException as the driver says
     */
    public List<TableName> unmet(Connection target, TenantCatalog catalog) throws SQLException {
        List<TableName> behind = new ArrayList<>();
        for (TableSequence sequence : catalog.sequences()) {
            BigDecimal bound = first.get(sequence.name());
            if (bound == null) {
                behind.add(sequence.name());
                continue;
            }
            // the values first: whatever others insert meanwhile comes from the sequence, which is read afterwards
            State before = state(target, sequence.name());
            if (!before.holds(bound)) {
                bound = before.next(); // a range of its own: what the source hands out, this cannot
            }
            for (SequenceColumn column : sequence.columns()) {
                bound = further(before, bound, ofAll(target, catalog, column, before));
            }
            State now = state(target, sequence.name());
            if (!now.usedUp() && now.beyond(bound, now.next())) {
                behind.add(sequence.name());
            }
        }
        return List.copyOf(behind);
    }

    private static BigDecimal further(State state, BigDecimal bound, Optional<BigDecimal> extreme) {
        return extreme.map(value -> value.add(state.step()))
                .filter(after -> state.beyond(after, bound))
                .orElse(bound);
    }

    private static State state(Connection connection, TableName sequence) throws SQLException {
        String name = Identifiers.quote(sequence);
        return Jdbc.one(
                connection,
                STATE.formatted(name),
                row -> new State(
                        row.getBigDecimal(1),
                        row.getBoolean(2),
                        row.getBigDecimal(3),
                        row.getBigDecimal(4),
                        row.getBigDecimal(5)),
                name);
    }

    private static Optional<BigDecimal> ofTenant(
            Connection source, TenantCatalog catalog, SequenceColumn column, State state, TenantId tenant)
            throws SQLException {
        Optional<TenantTable> table = table(catalog, column);
        if (table.isEmpty()) {
            return Optional.empty();
        }
        TenantPredicate predicate =
                TenantPredicate.read(source, column.table(), table.get().tenantColumn());
        return extreme(
                source,
                OF_TENANT.formatted(
                        state.up() ? "max" : "min",
                        Identifiers.quote(column.column()),
                        table.get().from(),
                        predicate.sql()),
                Collections.nCopies(predicate.parameters(), tenant.value()).toArray());
    }

    private static Optional<BigDecimal> ofAll(
            Connection target, TenantCatalog catalog, SequenceColumn column, State state) throws SQLException {
        Optional<TenantTable> table = table(catalog, column);
        if (table.isEmpty()
                || !Jdbc.one(
                        target,
                        LEADS_AN_INDEX,
                        row -> row.getBoolean(1),
                        Identifiers.quote(column.table()),
                        column.column())) {
            return Optional.empty();
        }
        return extreme(
                target,
                OF_ALL.formatted(
                        state.up() ? "max" : "min",
                        Identifiers.quote(column.column()),
                        table.get().from(),
                        Identifiers.quote(column.column()),
                        state.min().toPlainString(),
                        state.max().toPlainString()));
    }

    private static Optional<TenantTable> table(TenantCatalog catalog, SequenceColumn column) {
        return catalog.tables().stream()
                .filter(table -> column.plain() && table.name().equals(column.table()))
                .findFirst();
    }

    private static Optional<BigDecimal> extreme(Connection shard, String sql, Object... parameters)
            throws SQLException {
        return Jdbc.one(shard, sql, row -> Optional.ofNullable(row.getBigDecimal(1)), parameters);
    }
}
