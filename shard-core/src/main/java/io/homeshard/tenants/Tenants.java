package io.homeshard.tenants;

import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;

/**
 * The tenants that the directory knows. Thread-safe. Every method throws
 * {@link io.homeshard.model.DirectoryUnavailableException} when the directory cannot be reached.
 *
 * <p>Creating a tenant writes to the directory and to a shard. The order leaves no tenant with two owners and none that
 * nobody can mend: the directory journals the intent, the shard reserves, the directory commits, the shard activates.
 * After a crash {@link #repair()} finishes what was committed and undoes what was not.
 */
public interface Tenants {
    /**
     * Tenants over these parts.
     *
     * @param parts the parts
     * @return the tenants
     */
    static Tenants of(TenantsParts parts) {
        return new ProvisionedTenants(parts);
    }

    /**
     * Creates a tenant on the shard that the placement policy chooses among those that are active, not dedicated and of
     * a weight above 0. When it returns, the tenant can be read and written.
     *
     * @param tenant the new tenant
     * @return its placement; map version 0 when the directory went away after the tenant was created
     * @throws io.homeshard.model.TenantExistsException when the directory knows the tenant, also while it is being
     *     created
     * @throws io.homeshard.model.PlacementException when no shard may take it; the message says why each was left out
     * @throws io.homeshard.model.SchemaMismatchException when the schema of the shard is missing or does not fit;
     *     nothing is left of the tenant
     * @throws io.homeshard.model.ShardUnavailableException when the shard failed on the way; what was begun is undone
     *     or left to {@link #repair()}
     * @throws io.homeshard.model.OutcomeUnknownException when the directory did not answer whether the tenant was
     *     created, also when asked again; the message names the operation, {@link #repair()} finishes or undoes it
     * @throws io.homeshard.model.MisroutedWriteException when the shard has a record of the tenant that contradicts the
     *     directory
     * @throws io.homeshard.model.TenantNotReadyException when this call was so slow that a repair took the creation over
     */
    Placement create(TenantId tenant);

    /**
     * Creates a tenant on a shard of the caller's choice, which may be dedicated.
     *
     * @param tenant the new tenant
     * @param shard an active shard
     * @return its placement
     * @throws io.homeshard.model.TenantExistsException as {@link #create}
     * @throws io.homeshard.model.PlacementException when the shard is unknown or not active
     * @throws io.homeshard.model.SchemaMismatchException as {@link #create}
     * @throws io.homeshard.model.ShardUnavailableException as {@link #create}
     * @throws io.homeshard.model.OutcomeUnknownException as {@link #create}
     * @throws io.homeshard.model.MisroutedWriteException as {@link #create}
     * @throws io.homeshard.model.TenantNotReadyException as {@link #create}
     */
    Placement createOn(TenantId tenant, ShardId shard);

    /**
     * Where a tenant is.
     *
     * @param tenant the tenant
     * @return its placement in whatever state, or empty when the directory does not know it
     */
    Optional<Placement> find(TenantId tenant);

    /**
     * All tenants in byte order of their names, a page at a time.
     *
     * @param after the last tenant of the page before, or empty for the first page
     * @param limit at most so many, at least 1
     * @return the page
     */
    List<Placement> list(Optional<TenantId> after, int limit);

    /**
     * Ends creations that stopped half-way: whose process died, or stays silent longer than its lease. Those that the
     * directory has committed are finished, the others are undone. May run anywhere, at any time and several times at
     * once. A shard that cannot be reached is reported and does not keep the others waiting.
     *
     * @return what was done and what is left
     */
    RepairReport repair();
}
