package io.homeshard.pool;

import java.time.Duration;

/**
 * Limits of the pool of one shard. Connections of a server are the sum over its shards and over all instances of the
 * application, so this number times both must stay below {@code max_connections}. Immutable; wrong values are refused.
 *
 * @param maximumSize most connections to the shard, 1 to 1000; default 10
 * @param minimumIdle idle connections kept, 0 to {@code maximumSize}; default 0: a shard that nobody uses costs nothing
 * @param maximumWaiting most threads that wait for a connection of the shard, at least 1; default 64. One more is
 *     refused at once, so that a slow shard does not eat the application's threads
 * @param connectionTimeout longest wait for a connection, new or used, 250 ms to 10 min; default 2 s
 * @param idleTimeout after which an idle connection above {@code minimumIdle} is closed, at least 10 s; default 10 min
 * @param maxLifetime after which a connection is replaced, at least 30 s; default 30 min
 */
public record PoolConfig(
        int maximumSize,
        int minimumIdle,
        int maximumWaiting,
        Duration connectionTimeout,
        Duration idleTimeout,
        Duration maxLifetime) {
    private static final PoolConfig DEFAULTS =
            new PoolConfig(10, 0, 64, Duration.ofSeconds(2), Duration.ofMinutes(10), Duration.ofMinutes(30));

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is left
     */
    public PoolConfig {
        require(maximumSize >= 1 && maximumSize <= 1000, "maximumSize must be 1 to 1000, was ", maximumSize);
        require(
                minimumIdle >= 0 && minimumIdle <= maximumSize,
                "minimumIdle must be 0 to maximumSize " + maximumSize + ", was ",
                minimumIdle);
        require(maximumWaiting >= 1, "maximumWaiting must be >= 1, was ", maximumWaiting);
        require(
                connectionTimeout.compareTo(Duration.ofMillis(250)) >= 0
                        && connectionTimeout.compareTo(Duration.ofMinutes(10)) <= 0,
                "connectionTimeout must be 250 ms to 10 min, was ",
                connectionTimeout);
        require(idleTimeout.toSeconds() >= 10, "idleTimeout must be >= 10 s, was ", idleTimeout);
        require(maxLifetime.toSeconds() >= 30, "maxLifetime must be >= 30 s, was ", maxLifetime);
    }

    /**
     * The defaults named above.
     *
     * @return a configuration for most services
     */
    public static PoolConfig defaults() {
        return DEFAULTS;
    }

    /**
     * The same with another size; {@code minimumIdle} shrinks with it.
     *
     * @param size most connections to one shard
     * @return a copy
     */
    public PoolConfig withMaximumSize(int size) {
        return new PoolConfig(
                size, Math.min(minimumIdle, size), maximumWaiting, connectionTimeout, idleTimeout, maxLifetime);
    }

    /**
     * The same with another connection timeout.
     *
     * @param timeout longest wait for a connection
     * @return a copy
     */
    public PoolConfig withConnectionTimeout(Duration timeout) {
        return new PoolConfig(maximumSize, minimumIdle, maximumWaiting, timeout, idleTimeout, maxLifetime);
    }

    /**
     * The same with another limit of waiting threads.
     *
     * @param threads most threads that wait for a connection of one shard
     * @return a copy
     */
    public PoolConfig withMaximumWaiting(int threads) {
        return new PoolConfig(maximumSize, minimumIdle, threads, connectionTimeout, idleTimeout, maxLifetime);
    }

    private static void require(boolean condition, String rule, Object value) {
        if (!condition) {
            throw new IllegalArgumentException(rule + value);
        }
    }
}
