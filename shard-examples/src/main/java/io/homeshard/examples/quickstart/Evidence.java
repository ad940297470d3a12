package io.homeshard.examples.quickstart;

import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.Map;

/**
 * What the run has brought together for its verdict.
 *
 * @param oldShard where the moved tenant came from
 * @param moving the moved tenant
 * @param before the shards before the load
 * @param log what the clients saw
 * @param timeline the moments of the run
 * @param report the mover's report
 * @param writers what became of the stale writers
 * @param unknown what a caller for an unknown tenant was told
 */
record Evidence(
        ShardId oldShard,
        TenantId moving,
        Map<ShardId, ShardFigures> before,
        ClientLog log,
        Timeline timeline,
        MoveReport report,
        StaleWriters writers,
        String unknown) {
    /** Last order acknowledged on the old shard to first on the new one, in milliseconds: the freeze as it was felt. */
    long freezeMillis() {
        long last = Long.MIN_VALUE;
        long first = Long.MAX_VALUE;
        for (Acknowledged order : log.acknowledged()) {
            if (!order.tenant().equals(moving)) {
                continue;
            }
            if (order.shard().equals(oldShard)) {
                last = Math.max(last, order.acknowledged());
            } else {
                first = Math.min(first, order.acknowledged());
            }
        }
        if (last == Long.MIN_VALUE || first == Long.MAX_VALUE) {
            throw new IllegalStateException("the moved tenant has no acknowledged order on one of the two shards");
        }
        return (first - last) / 1_000_000;
    }

    /** Acknowledged orders of the moved tenant on the old shard, or elsewhere. */
    long ofMoving(boolean onOldShard) {
        return log.acknowledged().stream()
                .filter(order -> order.tenant().equals(moving) && order.shard().equals(oldShard) == onOldShard)
                .count();
    }
}
