package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.throttle.Throttle;
import java.sql.SQLException;

/** Copies the rows of one tenant. Needs constant memory, whatever the size of the tenant. Thread-safe. */
public interface TenantCopy {
    /**
     * Copies all rows of the token's tenant, table by table, parents first. All are read in one snapshot, taken by this
     * call; each table is one transaction on the target, under the mover's token. Not idempotent: what a broken copy
     * left behind is swept before the next attempt.
     *
     * @param ends where from and where to
     * @param catalog the tables; of the source, whose schema must equal the target's
     * @param token the mover, which names the tenant
     * @param listener hears how it gets on
     * @return what was copied
     * @throws SQLException as the driver says; HS004 when another mover has the move. When a stream broke, both
     *     connections have been closed
     */
    CopyReport copy(CopyEnds ends, TenantCatalog catalog, MoverToken token, CopyListener listener) throws SQLException;

    /**
     * A copy that runs as fast as it can.
     *
     * @return a new copy
     */
    static TenantCopy create() {
        return create(Throttle.none());
    }

    /**
     * A copy at a limited rate.
     *
     * @param throttle the limit
     * @return a new copy
     */
    static TenantCopy create(Throttle throttle) {
        return new StreamingCopy(throttle);
    }
}
