package io.homeshard.routing;

import io.homeshard.model.Route;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Finds the shard of the current tenant. The first use in a scope resolves the route and pins it: one scope, one
 * database. There is no default shard and no fallback. Thread-safe.
 */
public interface Router {
    /**
     * The route of the current scope, resolved and pinned on first use. Outside a transaction a pinned route is
     * compared with what is known of the tenant, without I/O.
     *
     * @return the route
     * @throws io.homeshard.model.NoTenantException outside any scope
     * @throws io.homeshard.model.UnknownTenantException when the directory does not know the tenant
     * @throws io.homeshard.model.TenantNotReadyException when the tenant is being created or deleted
     * @throws io.homeshard.model.DirectoryUnavailableException when the directory cannot be reached and nothing usable
     *     is remembered
     * @throws io.homeshard.model.StaleRouteException when the pinned route is outdated or too old
     */
    Route route();

    /**
     * The route of a tenant now, whatever scope is open. Pins nothing.
     *
     * @param tenant the tenant
     * @return the route
     * @throws io.homeshard.model.HomeshardException as for {@link #route()}
     */
    Route route(TenantId tenant);

    /**
     * The route that the current scope has pinned, without resolving one.
     *
     * @return the route, or empty
     */
    Optional<Route> pinned();

    /**
     * A connection to the shard of the current scope. It refuses work for any other tenant; closing it gives it back.
     *
     * @return a connection in autocommit
     * @throws java.sql.SQLTransientConnectionException when it may work later: the cause is a
     *     {@link io.homeshard.model.TransientHomeshardException} or {@link io.homeshard.model.StaleRouteException}
     * @throws java.sql.SQLNonTransientConnectionException when it will not: the cause is a
     *     {@link io.homeshard.model.PermanentHomeshardException}
     * @throws SQLException nothing else
     */
    Connection connection() throws SQLException;

    /**
     * A router over its parts.
     *
     * @param parts what it needs
     * @return a router
     */
    static Router of(RouterParts parts) {
        return new PinningRouter(parts);
    }
}
