package io.homeshard.migrate.preflight;

import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.model.TenantSchema;
import io.homeshard.observe.Clocks;
import java.util.List;

/**
 * What a preflight is made of.
 *
 * @param guard talks to the shards
 * @param tables the declaration of this process
 * @param clocks time
 * @param limits what the move will allow itself
 * @param checks what both shards will be asked while the tenant is frozen
 */
public record PreflightParts(
        WriteGuard guard, TenantSchema tables, Clocks clocks, PreflightLimits limits, List<MoveCheck> checks) {
    /** Copies the list. */
    public PreflightParts {
        checks = List.copyOf(checks);
    }
}
