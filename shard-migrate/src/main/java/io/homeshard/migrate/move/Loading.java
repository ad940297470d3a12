package io.homeshard.migrate.move;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadChoice;
import io.homeshard.migrate.catalog.LoadFacts;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * In which mode rows are brought in and taken away: asked of the live shards when it matters, since a trigger may have
 * come after the plan, and since whoever undoes or cleans may never have seen a plan.
 */
final class Loading {
    private Loading() {}

    /** For the copy, and for what has to go before it. */
    static LoadMode ofCopy(MoveSession session, TenantCatalog catalog) throws SQLException {
        return mode(LoadChoice.decide(
                catalog.groups(),
                LoadFacts.read(session.move().source(), session.source(), catalog),
                LoadFacts.read(session.move().target(), session.target(), catalog)));
    }

    /** For rows that are only taken away: what fires for new rows is no matter then. */
    static LoadMode ofSweep(ShardId shard, Connection connection, TenantCatalog catalog) throws SQLException {
        return mode(LoadChoice.ofSweep(catalog.groups(), LoadFacts.read(shard, connection, catalog)));
    }

    private static LoadMode mode(LoadChoice choice) {
        List<String> errors = choice.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::toString)
                .distinct()
                .toList();
        if (!errors.isEmpty()) {
            throw new MoveStopped("rows cannot be brought in or taken away without side effects: " + errors);
        }
        return choice.mode();
    }
}
