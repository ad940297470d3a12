package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.verify.CheckRun;
import io.homeshard.migrate.verify.MoveCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The application's checks, each run once on both shards: what fails here would fail while the tenant is frozen. Answers
 * are not compared, since the tenant goes on writing.
 */
final class TriedChecks implements Check {
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
                    ServerReason.CANCELED.equals(e.getSQLState())
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
                "check " + check.name() + " cannot be run: " + ServerReason.of(e),
                "correct its query in MoveConfig.checks, with tables named by their schema, or give the mover's role the"
                        + " right that it lacks");
    }
}
