package io.homeshard.pool;

/**
 * A pool at one moment.
 *
 * @param active connections in use
 * @param idle connections waiting to be used
 * @param waiting threads waiting for one
 * @param limit most connections
 */
public record PoolStats(int active, int idle, int waiting, int limit) {}
