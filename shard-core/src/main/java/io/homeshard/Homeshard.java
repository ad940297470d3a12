package io.homeshard;

import io.homeshard.claim.UniqueClaims;
import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.directory.DirectoryMending;
import io.homeshard.guard.ShardMending;
import io.homeshard.health.ShardHealth;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.routing.Router;
import io.homeshard.routing.RoutingDataSource;
import io.homeshard.routing.Translation;
import io.homeshard.tenants.Reconciliation;
import io.homeshard.tenants.ReconciliationParts;
import io.homeshard.tenants.Shards;
import io.homeshard.tenants.Tenants;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The front door: one per application, for all its tenants and shards. Thread-safe. Closing it ends its threads and
 * pools; connections that are still out end when they are closed. Whatever is asked of it afterwards, also of the parts
 * it has handed out, fails with {@link io.homeshard.model.HomeshardClosedException}.
 */
public final class Homeshard implements AutoCloseable {
    private final HomeshardParts parts;
    private final Tenants tenants;
    private final Shards shards;
    private final UniqueClaims claims;
    private final Router router;
    private final DataSource dataSource;
    private final Translation translation;
    private final Lifetime lifetime;

    Homeshard(HomeshardParts parts, Tenants tenants, Router router, Translation translation, Lifetime lifetime) {
        this.parts = parts;
        this.tenants = tenants;
        this.shards = Shards.of(parts.directory(), parts.admin());
        this.claims = UniqueClaims.jdbc(parts.directoryDatabase());
        this.router = router;
        this.dataSource = new RoutingDataSource(router);
        this.translation = translation;
        this.lifetime = lifetime;
    }

    /**
     * Begins to build one.
     *
     * @return a builder, not thread-safe
     */
    public static HomeshardBuilder builder() {
        return new HomeshardBuilder();
    }

    /**
     * The tenants: create, find, list, repair.
     *
     * @return the tenants
     */
    public Tenants tenants() {
        return tenants;
    }

    /**
     * The shards: add, list, set a status. A change is seen by this instance at once and by others within
     * {@code cache.shardTtl}.
     *
     * @return the shards
     */
    public Shards shards() {
        return shards;
    }

    /**
     * Compares the directory with all shards and mends what can be mended: after a fail-over or restore of either, and
     * after steps that a person ordered while a shard was down.
     *
     * @return the reconciliation
     */
    public Reconciliation reconciliation() {
        return Reconciliation.of(new ReconciliationParts(
                parts.directory(),
                parts.admin(),
                parts.journal(),
                DirectoryMending.jdbc(parts.directoryDatabase()),
                parts.guard(),
                ShardMending.create(),
                parts.pools()));
    }

    /**
     * Values that may be used once over all tenants.
     *
     * @return the claims
     */
    public UniqueClaims claims() {
        return claims;
    }

    /**
     * The data source that application code uses. A connection leads to the shard of the tenant whose scope is open;
     * outside any scope there is none.
     *
     * @return the routing data source
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * What {@link #dataSource()} asks.
     *
     * @return the router
     */
    public Router router() {
        return router;
    }

    /**
     * Which shards are usable, as this instance sees it.
     *
     * @return the health of the shards
     */
    public ShardHealth health() {
        return parts.health();
    }

    /**
     * The declaration of the application's tables.
     *
     * @return what was handed to the builder
     */
    public TenantSchema tables() {
        return parts.tables();
    }

    /**
     * Runs work in a scope of a tenant, and says in Homeshard's exceptions what the shard said in SQLStates. Runs it
     * once: nothing is repeated for the caller.
     *
     * @param <E> what the work throws
     * @param tenant for whom
     * @param work the work
     * @throws E what the work throws and is none of Homeshard's concern, unchanged
     * @throws HomeshardException what Homeshard has to say, with the work's exception as its cause
     */
    public <E extends Exception> void run(TenantId tenant, ThrowingRunnable<E> work) throws E {
        this.<TenantId, E>call(tenant, () -> {
            work.run();
            return tenant;
        });
    }

    /**
     * Like {@link #run}, with a result.
     *
     * @param <T> the result
     * @param <E> what the work throws
     * @param tenant for whom
     * @param work the work
     * @return what the work returns
     * @throws E what the work throws and is none of Homeshard's concern, unchanged
     * @throws HomeshardException what Homeshard has to say, with the work's exception as its cause
     */
    @SuppressWarnings("try") // the scope works by being open
    public <T, E extends Exception> T call(TenantId tenant, ThrowingCallable<T, E> work) throws E {
        lifetime.requireOpen();
        try (ShardScope scope = ShardContext.open(tenant)) {
            return translated(work);
        }
    }

    /**
     * What a failure of the current scope means, for code that opens scopes itself.
     *
     * @param failure anything that was thrown while the scope that is still open was the current one
     * @return the exception to throw instead, or empty when the failure is none of Homeshard's concern
     */
    public Optional<HomeshardException> translate(Throwable failure) {
        return translation.translate(failure);
    }

    /**
     * What Homeshard is made of, for its own modules. Not API.
     *
     * @return the parts
     */
    public HomeshardParts parts() {
        return parts;
    }

    /** Ends threads and pools. Does nothing the second time. */
    @Override
    public void close() {
        lifetime.end();
    }

    private <T, E extends Exception> T translated(ThrowingCallable<T, E> work) throws E {
        try {
            return work.call();
        } catch (Exception e) {
            Optional<HomeshardException> ours = translation.translate(e);
            if (ours.isPresent()) {
                throw ours.get();
            }
            throw e;
        }
    }
}
