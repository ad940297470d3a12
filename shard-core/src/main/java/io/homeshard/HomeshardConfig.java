package io.homeshard;

import io.homeshard.cache.CacheConfig;
import io.homeshard.pool.PoolConfig;
import io.homeshard.routing.RouterParts;
import java.time.Duration;

/**
 * Every number of Homeshard. Immutable; wrong values are refused.
 *
 * @param pool limits of the pool of each shard
 * @param cache limits of the placement cache
 * @param maxScopeAge how long a pinned route may be used, positive; default 15 min. Old rows of a moved tenant must be
 *     kept longer than this and {@code cache.maxReadStaleness} together
 * @param listen whether changes of placements are heard at once, over a connection of its own; default true. Without,
 *     they are seen after {@code cache.revalidateAfter}, or when a shard refuses a write
 */
public record HomeshardConfig(PoolConfig pool, CacheConfig cache, Duration maxScopeAge, boolean listen) {
    private static final HomeshardConfig DEFAULTS =
            new HomeshardConfig(PoolConfig.defaults(), CacheConfig.defaults(), RouterParts.DEFAULT_MAX_SCOPE_AGE, true);

    /**
     * Checks what the parts do not check themselves.
     *
     * @throws IllegalArgumentException when {@code maxScopeAge} is not positive
     */
    public HomeshardConfig {
        if (maxScopeAge.isNegative() || maxScopeAge.isZero()) {
            throw new IllegalArgumentException("maxScopeAge must be > 0, was " + maxScopeAge);
        }
    }

    /**
     * The defaults named above.
     *
     * @return a configuration for most services
     */
    public static HomeshardConfig defaults() {
        return DEFAULTS;
    }

    /**
     * How long after a tenant has moved a router of this configuration may still read from the old shard: a placement
     * that was read just before, used for as long as the directory cannot be reached, and pinned at the end of that.
     *
     * @return {@code cache.maxReadStaleness} and {@code maxScopeAge} together
     */
    public Duration longestRoute() {
        return cache.maxReadStaleness().plus(maxScopeAge);
    }
}
