package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.SequenceColumn;
import io.homeshard.migrate.catalog.TableSequence;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.observe.Clocks;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Moves the sequences of a target on, so that they hand out nothing that came with the tenant: beyond the source's
 * sequence, beyond all values in the target's columns, and never backwards.
 *
 * <p>{@code setval} alone would not do: between reading and setting, another session may take a thousand values, and
 * setting would take them back. {@code ALTER SEQUENCE} holds {@code nextval} off until the transaction ends. A sequence
 * that stands far enough on already is not locked at all.
 */
public final class SequenceAdvance {
    private static final String EXTREME = "SELECT %s(%s)::numeric FROM %s WHERE %s BETWEEN %d AND %d";
    private static final String LOCK_BRIEFLY = "SET LOCAL lock_timeout = '100ms'";
    // changes nothing; it is the one statement that locks a sequence
    private static final String LOCK = "ALTER SEQUENCE %s INCREMENT BY %s";
    private static final String SET = "SELECT pg_catalog.setval(?::regclass, ?::bigint, ?::boolean)";

    /** While the lock is waited for, all other callers of {@code nextval} wait behind it: hence briefly, and often. */
    private static final int ATTEMPTS = 100;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private SequenceAdvance() {}

    /**
     * Moves all sequences of the catalog on, each in a transaction of its own.
     *
     * @param target where rows have been copied to, in autocommit, as the owner of the sequences
     * @param catalog the sequences
     * @param source where the rows came from, in autocommit
     * @return the sequences that were changed
     * @throws SQLException as the driver says; 55P03 when a transaction kept using a sequence for some 20 seconds
     */
    public static List<AdvancedSequence> advance(Connection target, TenantCatalog catalog, Connection source)
            throws SQLException {
        List<AdvancedSequence> changed = new ArrayList<>();
        for (TableSequence sequence : catalog.sequences()) {
            SequenceState here = SequenceState.read(target, sequence.name());
            BigInteger bound = bound(target, sequence, here, SequenceState.read(source, sequence.name()));
            if (here.beyond(bound, here.next())) {
                patiently(target, sequence, bound).ifPresent(changed::add);
            }
        }
        return changed;
    }

    /** The columns need no lock: values that others have taken but not committed are behind the target's sequence. */
    private static BigInteger bound(Connection target, TableSequence sequence, SequenceState here, SequenceState there)
            throws SQLException {
        BigInteger bound = here.mayHandOut(there) ? there.next() : here.next();
        for (SequenceColumn column : sequence.columns()) {
            if (column.plain()) {
                OptionalLong extreme = extreme(target, column, here);
                if (extreme.isPresent()) {
                    BigInteger after = BigInteger.valueOf(extreme.getAsLong()).add(here.increment());
                    bound = here.beyond(after, bound) ? after : bound;
                }
            }
        }
        return bound;
    }

    /** Among the values that the sequence may hand out. */
    private static OptionalLong extreme(Connection target, SequenceColumn column, SequenceState here)
            throws SQLException {
        String name = Identifiers.quote(column.column());
        String sql = EXTREME.formatted(
                here.up() ? "max" : "min", name, Identifiers.quote(column.table()), name, here.min(), here.max());
        return Jdbc.one(target, sql, row -> {
            long value = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
        });
    }

    private static Optional<AdvancedSequence> patiently(Connection target, TableSequence sequence, BigInteger bound)
            throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return PinnedTransaction.write(target, connection -> move(connection, sequence, bound));
            } catch (SQLException e) {
                if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) || attempt == ATTEMPTS) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private static void pause(SQLException cause) throws SQLException {
        try {
            Clocks.system().sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause.addSuppressed(e);
            throw cause;
        }
    }

    private static Optional<AdvancedSequence> move(Connection target, TableSequence sequence, BigInteger bound)
            throws SQLException {
        SequenceState seen = SequenceState.read(target, sequence.name());
        String name = Identifiers.quote(sequence.name());
        Jdbc.run(target, LOCK_BRIEFLY);
        Jdbc.run(target, LOCK.formatted(name, seen.increment()));
        SequenceState here = SequenceState.read(target, sequence.name());
        BigInteger next = here.reach(bound);
        if (next.equals(here.next())) {
            return Optional.empty();
        }
        if (here.holds(next)) {
            Jdbc.run(target, SET, name, next.longValueExact(), false);
        } else {
            // used up, as it was on the source: the next caller gets the server's own error
            BigInteger end = here.up() ? here.max() : here.min();
            Jdbc.run(target, SET, name, end.longValueExact(), true);
        }
        return Optional.of(new AdvancedSequence(sequence.name(), here.next().longValue(), next.longValue()));
    }
}
