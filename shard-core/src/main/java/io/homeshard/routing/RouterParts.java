package io.homeshard.routing;

import io.homeshard.directory.Directory;
import io.homeshard.health.ShardHealth;
import io.homeshard.observe.Clocks;
import io.homeshard.observe.ShardListener;
import io.homeshard.pool.ShardPools;
import java.time.Duration;

/**
 * What a router is made of.
 *
 * @param directory where placements and shards are looked up
 * @param pools connections
 * @param health which shards are refused at once
 * @param listener hears of routes and refusals
 * @param clocks time
 * @param maxScopeAge how long a pinned route may be used outside a transaction; positive
 */
public record RouterParts(
        Directory directory,
        ShardPools pools,
        ShardHealth health,
        ShardListener listener,
        Clocks clocks,
        Duration maxScopeAge) {
    /** Default of {@code maxScopeAge}: old rows of a moved tenant are kept longer than this. */
    public static final Duration DEFAULT_MAX_SCOPE_AGE = Duration.ofMinutes(15);

    /**
     * Checks the age.
     *
     * @throws IllegalArgumentException when {@code maxScopeAge} is not positive
     */
    public RouterParts {
        if (maxScopeAge.isNegative() || maxScopeAge.isZero()) {
            throw new IllegalArgumentException("maxScopeAge must be > 0, was " + maxScopeAge);
        }
    }
}
