package io.homeshard.migrate.schema;

import java.util.List;

/**
 * What a roll-out did. Immutable.
 *
 * @param shards every registered shard, in the order of the roll-out
 */
public record RolloutReport(List<ShardRollout> shards) {
    /** Keeps its own copy of the list. */
    public RolloutReport {
        shards = List.copyOf(shards);
    }

    /**
     * How many shards ended in a state.
     *
     * @param state the state
     * @return the number
     */
    public long count(ShardRollout.State state) {
        return shards.stream().filter(shard -> shard.state() == state).count();
    }
}
