package io.homeshard.migrate.move;

import io.homeshard.directory.MoveTerms;
import io.homeshard.migrate.preflight.Preflight;
import io.homeshard.migrate.preflight.PreflightLimits;
import io.homeshard.migrate.preflight.PreflightParts;
import io.homeshard.migrate.preflight.PreflightResult;
import io.homeshard.migrate.preflight.Standing;
import io.homeshard.model.Placement;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Makes the plan of a move: a dry run that changes nothing, and the object that is executed. */
record Planner(MoveParts parts) {
    private static final String SESSION = "homeshard-plan";
    private static final Duration CHECK = Duration.ofSeconds(30);

    /** Beside the streams of the copy: the source's table locks, and the target's signs of life, have a session each. */
    private static final int OWN_SESSIONS = 1;

    MovePlan plan(TenantId tenant, ShardId target) {
        Placement placement = parts.directory().find(tenant).orElseThrow(() -> UnknownTenantException.of(tenant));
        Shard to = shard(target);
        if (placement.shard().equals(target)) {
            throw new MoveException(
                    null, "shard " + target + " - has the tenant already, there is nothing to move", null);
        }
        Standing standing = Standing.of(parts.directory(), placement, to);
        if (!standing.findings().isEmpty()) {
            return plan(placement, target, PreflightResult.refused(standing.findings()));
        }
        Shard from = shard(placement.shard());
        try (Connection source = open(from);
                Connection destination = open(to)) {
            PreflightParts look = new PreflightParts(
                    parts.guard(),
                    parts.tables(),
                    parts.clocks(),
                    limits(standing.targetBytes()),
                    parts.config().checks());
            return plan(placement, target, Preflight.of(look).run(source, destination, placement, target));
        } catch (SQLException e) {
            throw new MoveException(
                    null,
                    "move from shard " + from.id() + " to shard " + target + " - could not be planned: "
                            + e.getMessage(),
                    e);
        }
    }

    /** A shard in service is looked at: no single question may take it for long. */
    private PreflightLimits limits(long targetBytes) {
        MoveConfig config = parts.config();
        Duration check = CHECK.compareTo(config.steps().statement()) < 0
                ? CHECK
                : config.steps().statement();
        return new PreflightLimits(
                config.freeze().laterTry(),
                check,
                check.plus(config.steps().answer()),
                OWN_SESSIONS + config.copy().parallelism(),
                config.copy().bytesPerSecond(),
                config.copy().maxRowBytes(),
                targetBytes);
    }

    private static List<PlannedTable> planned(PreflightResult result) {
        return result.tables().stream()
                .map(table -> new PlannedTable(table.table(), table.rows(), table.bytes()))
                .toList();
    }

    private static MovePlan plan(Placement placement, ShardId target, PreflightResult result) {
        return new MovePlan(
                UUID.randomUUID(),
                placement.tenant(),
                placement.shard(),
                target,
                placement.generation(),
                result.fingerprint(),
                planned(result),
                result.findings(),
                Set.of(),
                MoveTerms.NONE,
                result.load(),
                result.freeze().freeze());
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
