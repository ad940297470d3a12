package io.homeshard.migrate.drain;

import io.homeshard.model.TenantId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tenant that a drain could not move. Immutable.
 *
 * @param tenant the tenant
 * @param move its move, or null when none was begun
 * @param reason how it stands and what to do
 */
public record DrainFailure(TenantId tenant, @Nullable UUID move, String reason) {}
