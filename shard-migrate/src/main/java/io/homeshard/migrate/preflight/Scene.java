package io.homeshard.migrate.preflight;

import io.homeshard.model.Placement;
import io.homeshard.model.TenantId;

/**
 * A move that is looked at.
 *
 * @param placement what the directory says of the tenant
 * @param source where it lives
 * @param target where it shall go
 * @param parts what the preflight is made of
 */
record Scene(Placement placement, Side source, Side target, PreflightParts parts) {
    TenantId tenant() {
        return placement.tenant();
    }
}
