package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Causes;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Why PostgreSQL refused what the application wrote, in words that repeat no value of a row. */
final class ServerReason {
    /** PostgreSQL: query canceled, here by its statement_timeout. */
    static final String CANCELED = "57014";

    /**
     * PostgreSQL: unsupported, not in this transaction, no such schema, syntax error or access rule violation. Their texts
     * are about the query and the schema; all others may quote a value.
     */
    private static final Set<String> ABOUT_THE_QUERY = Set.of("0A", "25", "3F", "42");

    private static final int CLASS = 2;

    private ServerReason() {}

    static String of(SQLException e) {
        PSQLException driver = Causes.find(e, PSQLException.class);
        ServerErrorMessage server = driver == null ? null : driver.getServerErrorMessage();
        String text = server == null ? null : server.getMessage();
        return (text != null && ABOUT_THE_QUERY.contains(kind(e))
                        ? text
                        : "what the database says may quote a value and is left out")
                + " (sqlstate=" + e.getSQLState() + ")";
    }

    /** The class of the SQLState. */
    static String kind(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.length() > CLASS ? state.substring(0, CLASS) : state;
    }
}
