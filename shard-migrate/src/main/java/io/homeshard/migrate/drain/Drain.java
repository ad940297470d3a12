package io.homeshard.migrate.drain;

import io.homeshard.model.ShardId;

/**
 * Empties shards. Thread-safe. Throws {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot
 * be reached before the first move has begun.
 */
public interface Drain {
    /**
     * A drain over these parts.
     *
     * @param parts what it is made of
     * @return a new one
     */
    static Drain of(DrainParts parts) {
        return new PlannedDrain(parts);
    }

    /**
     * Plans the moves of all tenants of a shard, and looks for everything that could stop them; changes nothing.
     *
     * @param shard the shard
     * @param config how
     * @return the plan
     * @throws io.homeshard.migrate.move.MoveException when the directory does not know the shard
     */
    DrainPlan plan(ShardId shard, DrainConfig config);

    /**
     * Runs a plan: sets the shard to draining, so that no new tenant is placed there, and moves its tenants, also those
     * that have come since the plan was made. Running it again, or another plan of that shard, goes on where this one
     * has stopped; a move whose process is gone is gone on with when its lease is over. An interrupt begins no further
     * moves and waits for those that are under way.
     *
     * @param plan a plan without obstacles
     * @param listener hears how it goes
     * @return what was moved, what failed and what is left; also when the drain could not go on, for instance because the
     *     directory could not be reached any more: {@link DrainReport#problem} says so, and no move is under way
     * @throws io.homeshard.migrate.move.MoveException when the plan has obstacles; nothing was changed
     */
    DrainReport run(DrainPlan plan, DrainListener listener);
}
