package io.homeshard.migrate.schema;

import io.homeshard.model.PermanentHomeshardException;
import io.homeshard.model.ShardId;
import org.jspecify.annotations.Nullable;

/** A roll-out stopped at a shard. Shards before it are done, those after it were left alone. */
public final class RolloutException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    private final transient ShardId shard;
    private final transient RolloutReport report;

    RolloutException(ShardId shard, RolloutReport report, @Nullable Throwable cause) {
        super(
                "shard " + shard + " - schema was not rolled out; mend the cause and run migrate() again, which goes on"
                        + " from here (done=" + done(report) + ", shards="
                        + report.shards().size() + ")",
                cause);
        this.shard = shard;
        this.report = report;
    }

    /**
     * Where it stopped.
     *
     * @return the shard
     */
    public ShardId shard() {
        return shard;
    }

    /**
     * What was done until then.
     *
     * @return the report, with all shards
     */
    public RolloutReport report() {
        return report;
    }

    private static long done(RolloutReport report) {
        return report.count(ShardRollout.State.CHANGED) + report.count(ShardRollout.State.UNCHANGED);
    }
}
