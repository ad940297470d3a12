package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Where a sequence stands. Arithmetic is done without bounds, since a sequence may stand at the end of its own.
 *
 * @param next the value that it hands out next, if it still may
 * @param increment its step
 * @param min its least value
 * @param max its greatest value
 */
record SequenceState(BigInteger next, BigInteger increment, BigInteger min, BigInteger max) {
    // the sequence relation itself holds is_called, which tells "stands at" from "has handed out"
    private static final String STATE = """
            SELECT s.last_value + CASE WHEN s.is_called THEN q.seqincrement::numeric ELSE 0 END AS next,
                   q.seqincrement::numeric, q.seqmin::numeric, q.seqmax::numeric
              FROM %s s, pg_catalog.pg_sequence q WHERE q.seqrelid = ?::regclass
            """;

    static SequenceState read(Connection connection, TableName sequence) throws SQLException {
        String quoted = Identifiers.quote(sequence);
        return Jdbc.one(
                connection,
                STATE.formatted(quoted),
                row -> new SequenceState(
                        row.getBigDecimal(1).toBigInteger(),
                        row.getBigDecimal(2).toBigInteger(),
                        row.getBigDecimal(3).toBigInteger(),
                        row.getBigDecimal(4).toBigInteger()),
                quoted);
    }

    boolean up() {
        return increment.signum() > 0;
    }

    /** Whether a value lies further on than another, in the direction of this sequence. */
    boolean beyond(BigInteger value, BigInteger other) {
        return up() ? value.compareTo(other) > 0 : value.compareTo(other) < 0;
    }

    /**
     * The first value at or beyond a bound that this sequence would reach by itself: where each shard has a start of its
     * own and a common step, a shard keeps its own values.
     */
    BigInteger reach(BigInteger bound) {
        if (!beyond(bound, next)) {
            return next;
        }
        BigInteger step = increment.abs();
        BigInteger distance = bound.subtract(next).abs();
        BigInteger steps = distance.add(step).subtract(BigInteger.ONE).divide(step);
        return next.add(steps.multiply(increment));
    }

    /**
     * Whether this may come to a value that another has handed out: not where each counts in a range of its own. One of the
     * same range that is used up leaves nothing to hand out.
     */
    boolean mayHandOut(SequenceState other) {
        return holds(other.next) || (min.equals(other.min) && max.equals(other.max));
    }

    /** Whether the sequence may hand a value out. */
    boolean holds(BigInteger value) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }
}
