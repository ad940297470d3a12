package io.homeshard.migrate.preflight;

import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantSchema;

/**
 * What a preflight is made of.
 *
 * @param guard talks to the shards
 * @param tables the declaration of this process
 * @param limits what the move will allow itself
 */
public record PreflightParts(WriteGuard guard, TenantSchema tables, PreflightLimits limits) {}
