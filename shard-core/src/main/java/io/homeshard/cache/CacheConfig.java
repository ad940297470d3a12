package io.homeshard.cache;

import java.time.Duration;

/**
 * Limits of the placement cache. Immutable; wrong values are refused.
 *
 * @param maximumSize most placements remembered, at least 1; default 100 000. As many unknown tenants are remembered
 *     apart from them, so that made-up names cannot push real ones out
 * @param revalidateAfter age after which a placement is read again, even when no notification came; positive, default
 *     30 s. Up to a tenth is taken off at random, so that entries do not all expire at once
 * @param negativeTtl how long "unknown" is believed, and a placement that is about to change (provisioning, frozen,
 *     deleting); at most {@code revalidateAfter}, default 1 s
 * @param shardTtl age after which the list of shards is read again; positive, default 5 s
 * @param maxReadStaleness age up to which a placement is used while the directory cannot be reached, at least
 *     {@code revalidateAfter}; default 15 min. Old rows of a moved tenant must be kept longer than this
 */
public record CacheConfig(
        long maximumSize,
        Duration revalidateAfter,
        Duration negativeTtl,
        Duration shardTtl,
        Duration maxReadStaleness) {
    private static final CacheConfig DEFAULTS = new CacheConfig(
            100_000, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(15));

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is left
     */
    public CacheConfig {
        require(maximumSize >= 1, "maximumSize must be >= 1, was ", maximumSize);
        require(positive(revalidateAfter), "revalidateAfter must be > 0, was ", revalidateAfter);
        require(
                !negativeTtl.isNegative() && negativeTtl.compareTo(revalidateAfter) <= 0,
                "negativeTtl must be 0 to revalidateAfter " + revalidateAfter + ", was ",
                negativeTtl);
        require(positive(shardTtl), "shardTtl must be > 0, was ", shardTtl);
        require(
                maxReadStaleness.compareTo(revalidateAfter) >= 0,
                "maxReadStaleness must be >= revalidateAfter " + revalidateAfter + ", was ",
                maxReadStaleness);
    }

    /**
     * The defaults named above.
     *
     * @return a configuration for most services
     */
    public static CacheConfig defaults() {
        return DEFAULTS;
    }

    /**
     * The same with another age of revalidation; {@code negativeTtl} shrinks and {@code maxReadStaleness} grows with it
     * where they must.
     *
     * @param age age after which a placement is read again
     * @return a copy
     */
    public CacheConfig withRevalidateAfter(Duration age) {
        return new CacheConfig(
                maximumSize,
                age,
                negativeTtl.compareTo(age) > 0 ? age : negativeTtl,
                shardTtl,
                maxReadStaleness.compareTo(age) < 0 ? age : maxReadStaleness);
    }

    /**
     * The same with another size.
     *
     * @param size most placements remembered
     * @return a copy
     */
    public CacheConfig withMaximumSize(long size) {
        return new CacheConfig(size, revalidateAfter, negativeTtl, shardTtl, maxReadStaleness);
    }

    private static boolean positive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void require(boolean condition, String rule, Object value) {
        if (!condition) {
            throw new IllegalArgumentException(rule + value);
        }
    }
}
