package io.homeshard.migrate.schema;

import io.homeshard.model.ShardId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a roll-out did on one shard. Immutable.
 *
 * @param shard the shard
 * @param state how it ended
 * @param before version of the application's schema before, or null when there was none or it was not reached
 * @param after version afterwards, or null when not known
 * @param took how long it took
 * @param cause why it failed, else null
 */
public record ShardRollout(
        ShardId shard,
        State state,
        @Nullable String before,
        @Nullable String after,
        Duration took,
        @Nullable Throwable cause) {
    /** How a roll-out on a shard ended. */
    public enum State {
        /** Something was done, and the shard is complete. */
        CHANGED,
        /** The shard was complete already. */
        UNCHANGED,
        /** It failed; what was done before the failure stays, and the next roll-out goes on from there. */
        FAILED,
        /** An earlier shard failed, so that this one was left alone. */
        NOT_REACHED
    }

    static ShardRollout notReached(ShardId shard) {
        return new ShardRollout(shard, State.NOT_REACHED, null, null, Duration.ZERO, null);
    }

    static ShardRollout failed(ShardId shard, Duration took, Throwable cause) {
        return new ShardRollout(shard, State.FAILED, null, null, took, cause);
    }
}
