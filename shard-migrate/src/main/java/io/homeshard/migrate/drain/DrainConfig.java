package io.homeshard.migrate.drain;

import io.homeshard.model.ShardId;
import java.util.List;

/**
 * How a shard is emptied. Immutable.
 *
 * @param parallel moves at a time, 1 to 64
 * @param goOnAfterFailure whether further moves are begun after one has failed
 * @param targets where the tenants may go; empty for every active shard of the region that is not dedicated and has a
 *     weight. Shards that are named may be dedicated, without weight or in another region
 * @param anyRegion whether tenants may go to shards of another region
 */
public record DrainConfig(int parallel, boolean goOnAfterFailure, List<ShardId> targets, boolean anyRegion) {
    private static final int MOST = 64;

    /**
     * Checks the range, copies the list.
     *
     * @throws IllegalArgumentException when {@code parallel} is out of it
     */
    public DrainConfig {
        if (parallel < 1 || parallel > MOST) {
            throw new IllegalArgumentException("parallel must be 1 to " + MOST + ", was " + parallel);
        }
        targets = List.copyOf(targets);
    }

    /**
     * Two moves at a time, to the shards that would take a new tenant, until the first failure.
     *
     * @return the defaults
     */
    public static DrainConfig defaults() {
        return new DrainConfig(2, false, List.of(), false);
    }

    /**
     * The same with another number of moves at a time.
     *
     * @param moves 1 to 64
     * @return a copy
     */
    public DrainConfig parallel(int moves) {
        return new DrainConfig(moves, goOnAfterFailure, targets, anyRegion);
    }

    /**
     * The same, going on after failures.
     *
     * @return a copy
     */
    public DrainConfig goingOnAfterFailure() {
        return new DrainConfig(parallel, true, targets, anyRegion);
    }

    /**
     * The same with named targets.
     *
     * @param shards where the tenants may go
     * @return a copy
     */
    public DrainConfig to(ShardId... shards) {
        return new DrainConfig(parallel, goOnAfterFailure, List.of(shards), anyRegion);
    }

    /**
     * The same with shards of all regions as targets.
     *
     * @return a copy
     */
    public DrainConfig toAnyRegion() {
        return new DrainConfig(parallel, goOnAfterFailure, targets, true);
    }
}
