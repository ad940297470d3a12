package io.homeshard.migrate.preflight;

import java.time.Duration;

/**
 * What a move is going to allow itself, as far as a shard may be in the way of it. Immutable and thread-safe.
 *
 * @param freezeTry longest wait for the tenant's lock in one attempt to freeze
 * @param statement longest single statement of a move
 * @param silence how long a shard may give no sign of life while it works on many rows
 */
public record PreflightLimits(Duration freezeTry, Duration statement, Duration silence) {}
