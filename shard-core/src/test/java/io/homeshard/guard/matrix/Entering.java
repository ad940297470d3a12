package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * An application whose connection enters its tenants before the first write of a transaction, for guards that admit
 * nobody else. It enters with the write, not with BEGIN: a transaction that only waits shall not hold its tenant.
 *
 * @param writer the application's session
 * @param tenants those to enter, in this order; the last one stays declared
 */
record Entering(Session writer, List<Subject> tenants) {
    private static final Pattern WRITE =
            Pattern.compile("\\s*(INSERT|UPDATE|DELETE|MERGE|WITH|EXECUTE|DO|SELECT shop\\.)\\b", Pattern.DOTALL);

    Entering {
        tenants = List.copyOf(tenants);
    }

    /** Whether SQL of the application is such a write. */
    static boolean isWrite(String sql) {
        return WRITE.matcher(sql).lookingAt();
    }

    /** Enters and writes, in a transaction of its own when none is open. */
    String run(Background.Sending writing) throws SQLException {
        boolean own = writer.connection().unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
        if (own) {
            writer.run("BEGIN");
        }
        String outcome = Session.OK;
        for (Subject tenant : tenants) {
            if (outcome.equals(Session.OK)) {
                outcome = writer.attempt(
                        "SELECT homeshard.enter('%s', %d)".formatted(tenant.name(), tenant.generation()));
            }
        }
        if (outcome.equals(Session.OK)) {
            outcome = writing.run();
        }
        if (!own) {
            return outcome;
        }
        String end = writer.attempt(outcome.equals(Session.OK) ? "COMMIT" : "ROLLBACK");
        return outcome.equals(Session.OK) ? end : outcome;
    }
}
