package io.homeshard.migrate.move;

import io.homeshard.directory.MoveTerms;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.preflight.Preflight;
import io.homeshard.migrate.preflight.PreflightLimits;
import io.homeshard.migrate.preflight.PreflightParts;
import io.homeshard.migrate.preflight.PreflightResult;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Makes the plan of a move: a dry run that changes nothing, and the object that is executed. */
record Planner(MoveParts parts) {
    private static final String SESSION = "homeshard-plan";

    MovePlan plan(TenantId tenant, ShardId target) {
        Placement placement = parts.directory().find(tenant).orElseThrow(() -> UnknownTenantException.of(tenant));
        Shard to = shard(target);
        if (placement.shard().equals(target)) {
            throw new MoveException(
                    null, "shard " + target + " - has the tenant already, there is nothing to move", null);
        }
        List<Finding> findings = standing(placement, to);
        if (!findings.isEmpty()) {
            return plan(placement, target, "", List.of(), findings);
        }
        Shard from = shard(placement.shard());
        try (Connection source = open(from);
                Connection destination = open(to)) {
            PreflightResult result = Preflight.of(new PreflightParts(parts.guard(), parts.tables(), limits()))
                    .run(source, destination, placement, target);
            return plan(placement, target, result.fingerprint(), planned(result), result.findings());
        } catch (SQLException e) {
            throw new MoveException(
                    null,
                    "move from shard " + from.id() + " to shard " + target + " - could not be planned: "
                            + e.getMessage(),
                    e);
        }
    }

    private PreflightLimits limits() {
        MoveConfig config = parts.config();
        return new PreflightLimits(
                config.freeze().laterTry(),
                config.steps().statement(),
                config.steps().statement().plus(config.steps().answer()));
    }

    private static List<PlannedTable> planned(PreflightResult result) {
        return result.tables().stream()
                .map(table -> new PlannedTable(table.table(), table.rows(), table.bytes()))
                .toList();
    }

    private static List<Finding> standing(Placement placement, Shard target) {
        List<Finding> findings = new ArrayList<>();
        if (placement.state() != PlacementState.ACTIVE) {
            findings.add(Finding.error(
                    "tenant-not-active",
                    placement.shard(),
                    "the tenant is " + placement.state(),
                    "recover() the move that is under way, or wait"));
        }
        if (target.status() != ShardStatus.ACTIVE) {
            findings.add(Finding.error(
                    "target-not-in-service",
                    target.id(),
                    "status must be ACTIVE, was " + target.status(),
                    "roll the schema out or set the status"));
        }
        return findings;
    }

    private static MovePlan plan(
            Placement placement,
            ShardId target,
            String fingerprint,
            List<PlannedTable> tables,
            List<Finding> findings) {
        return new MovePlan(
                UUID.randomUUID(),
                placement.tenant(),
                placement.shard(),
                target,
                placement.generation(),
                fingerprint,
                tables,
                findings,
                Set.of(),
                MoveTerms.NONE);
    }

    private Shard shard(ShardId id) {
        return parts.directory()
                .shard(id)
                .orElseThrow(() -> new MoveException(null, "shard " + id + " - is not in the directory", null));
    }

    private Connection open(Shard shard) {
        try {
            Connection connection = parts.pools().open(shard, SESSION);
            try {
                SessionLimits.apply(connection, parts.config());
                return connection;
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new ShardUnavailableException(
                    shard.id(),
                    "shard " + shard.id() + " - cannot be reached for planning a move: " + e.getMessage(),
                    e);
        }
    }
}
