package io.homeshard.migrate.drain;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.move.MoveException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refuses plans that may not run; each run has its own state. */
record PlannedDrain(DrainParts parts) implements Drain {
    /** Obstacles that a message names; there may be one for each of a thousand tenants. */
    private static final int NAMED = 5;

    @Override
    public DrainPlan plan(ShardId shard, DrainConfig config) {
        return new DrainPlanner(parts).plan(shard, config);
    }

    @Override
    public DrainReport run(DrainPlan plan, DrainListener listener) {
        Map<TenantId, List<Finding>> obstacles = plan.obstacles();
        if (!obstacles.isEmpty()) {
            throw new MoveException(
                    null,
                    "drain of shard " + plan.shard() + " - may not run, plan.obstacles() says why (tenants="
                            + obstacles.size() + "): "
                            + obstacles.entrySet().stream().limit(NAMED).toList(),
                    null);
        }
        Optional<ShardStatus> status = parts.directory().shard(plan.shard()).map(Shard::status);
        if (status.equals(Optional.of(ShardStatus.ACTIVE))) {
            parts.admin().setStatus(plan.shard(), ShardStatus.DRAINING);
        }
        return new DrainRun(parts, plan, listener).run();
    }
}
