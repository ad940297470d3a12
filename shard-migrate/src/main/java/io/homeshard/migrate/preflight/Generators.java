package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.TableSequence;
import io.homeshard.model.TableName;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Whether two shards draw the same numbers: then a key without the tenant collides one day, if not today. */
final class Generators {
    private static final String STATE = """
            SELECT s.last_value::numeric, q.seqincrement::numeric, q.seqmin::numeric, q.seqmax::numeric
              FROM %s s, pg_sequence q WHERE q.seqrelid = ?::regclass
            """;

    private Generators() {}

    private record State(BigInteger last, BigInteger increment, BigInteger min, BigInteger max) {
        boolean meets(State other) {
            if (max.compareTo(other.min) < 0 || other.max.compareTo(min) < 0) {
                return false;
            }
            BigInteger step = increment.abs().gcd(other.increment.abs());
            return last.subtract(other.last).mod(step).signum() == 0;
        }
    }

    /** In words, a generator of the key that hands out the same values on both shards; empty when there is none. */
    static Optional<String> overlapping(Scene scene, KeyRule rule) throws SQLException {
        for (TableSequence sequence : scene.source().catalog().sequences()) {
            boolean feeds = rule.parts().stream()
                    .anyMatch(part -> sequence.columns().stream()
                            .anyMatch(column -> column.table().equals(rule.table())
                                    && column.column().equals(part.column())));
            boolean there = scene.target().catalog().sequences().stream()
                    .anyMatch(other -> other.name().equals(sequence.name()));
            if (feeds && there && read(scene.source(), sequence).meets(read(scene.target(), sequence))) {
                return Optional.of("sequence " + sequence.name() + " hands out the same values on both shards");
            }
        }
        return Optional.empty();
    }

    private static State read(Side side, TableSequence sequence) throws SQLException {
        return read(side.connection(), sequence.name());
    }

    private static State read(Connection connection, TableName name) throws SQLException {
        String quoted = Identifiers.quote(name);
        return Jdbc.one(
                connection,
                STATE.formatted(quoted),
                row -> new State(
                        row.getBigDecimal(1).toBigInteger(),
                        row.getBigDecimal(2).toBigInteger(),
                        row.getBigDecimal(3).toBigInteger(),
                        row.getBigDecimal(4).toBigInteger()),
                quoted);
    }
}
