package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Causes;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.verify.CheckRun;
import io.homeshard.migrate.verify.MoveCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * The application's checks, each run once on both shards: what fails here would fail while the tenant is frozen. Answers
 * are not compared, since the tenant goes on writing.
 */
final class TriedChecks implements Check {
    /** PostgreSQL: query canceled, here by its statement_timeout. */
    private static final String CANCELED = "57014";

    /**
     * PostgreSQL: unsupported, not in this transaction, no such schema, syntax error or access rule violation. Their texts
     * are about the query and the schema; all others may quote a value.
     */
    private static final Set<String> ABOUT_THE_QUERY = Set.of("0A", "25", "3F", "42");

    private static final int CLASS = 2;

    @Override
    public List<Finding> find(Scene scene) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (MoveCheck check : scene.parts().checks()) {
            for (Side side : List.of(scene.source(), scene.target())) {
                attempt(scene, side, check).ifPresent(findings::add);
            }
        }
        return findings;
    }

    private Optional<Finding> attempt(Scene scene, Side side, MoveCheck check) throws SQLException {
        Connection connection = side.connection();
        Savepoint before = connection.setSavepoint();
        try {
            CheckRun.ask(connection, check, scene.tenant());
            return Optional.empty();
        } catch (SQLException e) {
            connection.rollback(before); // fails in turn when the connection is gone
            return Optional.of(
                    CANCELED.equals(e.getSQLState())
                            ? slow(side, check, scene.parts().limits())
                            : failed(side, check, e));
        }
    }

    private static Finding slow(Side side, MoveCheck check, PreflightLimits limits) {
        return Finding.warning(
                "unchecked",
                side.shard(),
                "check " + check.name() + " took longer than " + limits.check().toMillis() + " ms and was given up",
                "make its query faster, since writers of the tenant wait for it during the move, or accept that it was"
                        + " not tried");
    }

    private static Finding failed(Side side, MoveCheck check, SQLException e) {
        return Finding.error(
                "move-check-fails",
                side.shard(),
                "check " + check.name() + " cannot be run: " + reason(e) + " (sqlstate=" + e.getSQLState() + ")",
                "correct its query in MoveConfig.checks, with tables named by their schema, or give the mover's role the"
                        + " right that it lacks");
    }

    private static String reason(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        PSQLException driver = Causes.find(e, PSQLException.class);
        ServerErrorMessage server = driver == null ? null : driver.getServerErrorMessage();
        String text = server == null ? null : server.getMessage();
        return text != null && state.length() > CLASS && ABOUT_THE_QUERY.contains(state.substring(0, CLASS))
                ? text
                : "what the database says may quote a value and is left out";
    }
}
