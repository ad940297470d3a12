package io.homeshard.routing;

import io.homeshard.context.ShardContext;
import io.homeshard.context.ShardScope;
import io.homeshard.internal.jdbc.Causes;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.NoTenantException;
import io.homeshard.model.PermanentHomeshardException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantNotReadyException;
import io.homeshard.model.UnknownTenantException;
import io.homeshard.pool.ShardUnreachableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Locale;
import java.util.Optional;

/** Resolve, pin, compare, borrow: each a method, in the order in which a request meets them. */
final class PinningRouter implements Router {
    /** "The server rejected the establishment of the connection": what plain JDBC sees of our refusals. */
    private static final String REJECTED = "08004";

    private final RouterParts parts;

    PinningRouter(RouterParts parts) {
        this.parts = parts;
    }

    @Override
    public Route route() {
        return pin(scope()).route();
    }

    @Override
    public Route route(TenantId tenant) {
        return resolve(tenant);
    }

    @Override
    public Optional<Route> pinned() {
        ShardScope scope = ShardContext.current();
        return scope != null && scope.pinned(this) instanceof Pin pin ? Optional.of(pin.route()) : Optional.empty();
    }

    @Override
    public Connection connection() throws SQLException {
        try {
            ShardScope scope = scope();
            Pin pin = pin(scope);
            Shard shard = shard(pin.route());
            parts.health().check(shard);
            RoutedConnection connection = new RoutedConnection(borrow(shard), new ScopeWatch(scope, pin, shard, parts));
            return shard.status() == ShardStatus.READONLY ? readsOnly(connection, shard) : connection;
        } catch (StaleRouteException e) {
            throw new SQLTransientConnectionException(e.getMessage(), SqlStates.OTHER_GENERATION, e);
        } catch (PermanentHomeshardException e) {
            throw new SQLNonTransientConnectionException(e.getMessage(), REJECTED, e);
        } catch (HomeshardException e) {
            throw new SQLTransientConnectionException(e.getMessage(), REJECTED, e);
        }
    }

    private static Connection readsOnly(RoutedConnection connection, Shard shard) {
        try {
            connection.restrictToReads();
            return connection;
        } catch (SQLException e) {
            try {
                connection.close();
            } catch (SQLException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw new ShardUnavailableException(
                    shard.id(), "shard " + shard.id() + " - a session could not be restricted to reads", e);
        }
    }

    private static ShardScope scope() {
        ShardScope scope = ShardContext.current();
        if (scope == null) {
            throw new NoTenantException(
                    "routing - no scope is open on thread "
                            + Thread.currentThread().getName()
                            + "; open one with ShardContext.open(tenant), there is no default shard",
                    null);
        }
        return scope;
    }

    private Pin pin(ShardScope scope) {
        if (scope.pinned(this) instanceof Pin pin) {
            if (!scope.inTransaction()) {
                refuseOutdated(pin);
            }
            return pin;
        }
        Pin pin = new Pin(resolve(scope.tenant()), parts.clocks().nanoTime());
        scope.pin(this, pin);
        parts.listener().routeResolved(pin.route());
        return pin;
    }

    private void refuseOutdated(Pin pin) {
        Route route = pin.route();
        if (pin.refused()) {
            throw stale(route, "the shard has refused this route");
        }
        long age = parts.clocks().nanoTime() - pin.pinnedAt();
        if (age > parts.maxScopeAge().toNanos()) {
            throw stale(route, "the scope is too old, limit " + parts.maxScopeAge());
        }
        Optional<Placement> known = parts.directory().known(route.tenant());
        if (known.isPresent() && known.get().generation() > route.generation()) {
            throw stale(
                    route,
                    "the tenant is known to have moved (now=" + known.get().generation() + ")");
        }
    }

    private static StaleRouteException stale(Route route, String why) {
        return new StaleRouteException(
                "shard " + route.shard() + " (generation " + route.generation() + ") - route of tenant "
                        + route.tenant() + " is outdated: " + why + "; run the whole transaction again in a new scope",
                null);
    }

    private Route resolve(TenantId tenant) {
        Placement placement = parts.directory().find(tenant).orElseThrow(() -> UnknownTenantException.of(tenant));
        PlacementState state = placement.state();
        if (state == PlacementState.PROVISIONING || state == PlacementState.DELETING) {
            String remedy = state == PlacementState.PROVISIONING
                    ? "; it is being created, and where nobody is at it any more tenants().repair() finishes or undoes it"
                    : "; it is being deleted";
            throw new TenantNotReadyException(
                    "tenant " + tenant + " - serves nobody now" + remedy + " (state="
                            + state.name().toLowerCase(Locale.ROOT) + ")",
                    null);
        }
        return new Route(tenant, placement.shard(), placement.generation());
    }

    private Shard shard(Route route) {
        return parts.directory()
                .shard(route.shard())
                .orElseThrow(() -> new ShardUnavailableException(
                        route.shard(), "shard " + route.shard() + " - is not in the directory", null));
    }

    private Connection borrow(Shard shard) {
        try {
            return parts.pools().borrow(shard);
        } catch (SQLException e) {
            HomeshardException why = Causes.find(e, HomeshardException.class);
            if (why instanceof DirectoryUnavailableException) {
                throw why;
            }
            if (e instanceof ShardUnreachableException) {
                parts.health().failed(shard, e);
            }
            throw why != null ? why : new ShardUnavailableException(shard.id(), String.valueOf(e.getMessage()), e);
        }
    }
}
