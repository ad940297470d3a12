package io.homeshard;

import io.homeshard.model.HomeshardClosedException;
import io.homeshard.model.Route;
import io.homeshard.model.TenantId;
import io.homeshard.routing.Router;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;

/** A router that works as long as its Homeshard is open: what is remembered of placements would outlive it. */
final class OpenRouter implements Router {
    /** "Connection does not exist". */
    private static final String CLOSED = "08003";

    private final Router router;
    private final Lifetime lifetime;

    OpenRouter(Router router, Lifetime lifetime) {
        this.router = router;
        this.lifetime = lifetime;
    }

    @Override
    public Route route() {
        lifetime.requireOpen();
        return router.route();
    }

    @Override
    public Route route(TenantId tenant) {
        lifetime.requireOpen();
        return router.route(tenant);
    }

    @Override
    public Optional<Route> pinned() {
        return router.pinned();
    }

    @Override
    public Connection connection() throws SQLException {
        try {
            lifetime.requireOpen();
        } catch (HomeshardClosedException e) {
            throw new SQLNonTransientConnectionException(e.getMessage(), CLOSED, e);
        }
        return router.connection();
    }
}
