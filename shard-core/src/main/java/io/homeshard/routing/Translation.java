package io.homeshard.routing;

import io.homeshard.directory.Directory;
import io.homeshard.internal.jdbc.Causes;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.GuardViolationException;
import io.homeshard.model.HomeshardClosedException;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.MisroutedWriteException;
import io.homeshard.model.Placement;
import io.homeshard.model.Route;
import io.homeshard.model.ShardUnavailableException;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a shard or a connection said into what the caller should do about it. Call it while the scope is still
 * open. Thread-safe.
 */
public final class Translation {
    /** A freeze lasts about this long; a hint for the caller, not a promise. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Router router;
    private final Directory cached;
    private final Directory truth;

    /**
     * A translation.
     *
     * @param router knows the route of the current scope
     * @param cached told to forget a refused route
     * @param truth read afresh when a shard refuses a tenant, to tell a stale route from a disagreement
     */
    public Translation(Router router, Directory cached, Directory truth) {
        this.router = router;
        this.cached = cached;
        this.truth = truth;
    }

    /**
     * The exception of ours that a failure means.
     *
     * @param failure anything thrown in the current scope
     * @return ours, with the failure in its chain or found in the failure's chain; empty when it is none of our concern
     */
    public Optional<HomeshardException> translate(Throwable failure) {
        HomeshardException ours = Causes.find(failure, HomeshardException.class);
        return Optional.ofNullable(ours != null ? ours : bySqlState(failure));
    }

    private @Nullable HomeshardException bySqlState(Throwable failure) {
        SQLException guard = SqlStates.find(failure, "HS");
        if (guard != null) {
            return ofGuard(guard, failure);
        }
        SQLException lost = Causes.find(failure, SQLException.class);
        Optional<Route> route = router.pinned();
        if (lost == null || route.isEmpty() || !SqlStates.connectionLost(lost)) {
            return null;
        }
        return new ShardUnavailableException(
                route.get().shard(), who(route.get()) + "connection was lost before anything was committed", failure);
    }

    private @Nullable HomeshardException ofGuard(SQLException guard, Throwable failure) {
        Route route = router.pinned().orElse(null);
        String who = route == null ? "shard - " : who(route);
        return switch (String.valueOf(guard.getSQLState())) {
            case SqlStates.NOT_OWNED -> refused(route, who, failure);
            case SqlStates.OTHER_GENERATION -> stale(route, who, failure);
            case SqlStates.FROZEN ->
                new TenantFrozenException(
                        who + "tenant is read-only for a moment, retry after " + RETRY_AFTER, RETRY_AFTER, failure);
            case SqlStates.TRUNCATE ->
                new GuardViolationException(
                        who + "TRUNCATE of a tenant table is refused, use DELETE for one tenant", failure);
            case SqlStates.NO_TENANT ->
                new GuardViolationException(who + "a row without tenant is refused, fill the tenant column", failure);
            default -> null;
        };
    }

    private HomeshardException refused(@Nullable Route route, String who, Throwable failure) {
        if (route != null && directoryStillSays(route)) {
            cached.forget(route);
            return new MisroutedWriteException(
                    who + "does not own the tenant although the directory, read just now, says so; reconcile the two,"
                            + " or look for a row of another tenant than " + route.tenant(),
                    failure);
        }
        return stale(route, who, failure);
    }

    private StaleRouteException stale(@Nullable Route route, String who, Throwable failure) {
        if (route != null) {
            cached.forget(route);
        }
        return new StaleRouteException(
                who + "does not own the tenant under this route; run the whole transaction again in a new scope",
                failure);
    }

    private boolean directoryStillSays(Route route) {
        try {
            Optional<Placement> now = truth.find(route.tenant());
            return now.isPresent()
                    && now.get().shard().equals(route.shard())
                    && now.get().generation() == route.generation();
        } catch (DirectoryUnavailableException | HomeshardClosedException e) {
            return false;
        }
    }

    private static String who(Route route) {
        return "shard " + route.shard() + " (generation " + route.generation() + ") - ";
    }
}
