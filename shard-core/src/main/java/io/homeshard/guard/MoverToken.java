package io.homeshard.guard;

import io.homeshard.model.TenantId;
import java.util.UUID;

/**
 * Who asks a shard to change the ownership of a tenant: a move, or the creation of a tenant.
 *
 * @param tenant the tenant
 * @param move id of the move or of the creation
 * @param epoch its epoch
 * @param attempt its attempt
 */
public record MoverToken(TenantId tenant, UUID move, long epoch, int attempt) {}
