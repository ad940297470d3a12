package io.homeshard.migrate.preflight;

import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;

/**
 * What a preflight is made of.
 *
 * @param guard talks to the shards
 * @param tables the declaration of this process
 * @param clocks time
 * @param limits what the move will allow itself
 */
public record PreflightParts(WriteGuard guard, TenantSchema tables, Clocks clocks, PreflightLimits limits) {}
