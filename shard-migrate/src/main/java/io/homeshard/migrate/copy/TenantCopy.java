package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.observe.Clocks;
import java.sql.SQLException;

/**
 * Copies the rows of one tenant. Needs constant memory, whatever the size of the tenant: four times the longest row that
 * its limits allow, for each stream, and runs fewer streams where the heap is smaller than that. Thread-safe.
 */
public interface TenantCopy {
    /**
     * Copies all rows of the token's tenant, tables side by side as far as their foreign keys allow, and parts of big
     * tables too. All are read in one snapshot, taken by this call. Each table, or part of one, is one transaction on the
     * target under the mover's token; so are tables whose keys form a circle, together. Not idempotent: what a broken
     * copy left behind is swept before the next attempt.
     *
     * @param ends where from and where to
     * @param catalog the tables; of the source, whose schema must equal the target's
     * @param token the mover, which names the tenant
     * @param listener hears how it gets on
     * @return what was copied
     * @throws SQLException as the driver says, with the table's name in front; HS004 when another mover has the move;
     *     54000 when a row is longer than the limits or PostgreSQL allow. When a stream broke, all connections have been
     *     closed
     */
    CopyReport copy(CopyEnds ends, TenantCatalog catalog, MoverToken token, CopyListener listener) throws SQLException;

    /**
     * A copy with the default limits, under which foreign keys and triggers take notice.
     *
     * @return a new copy
     */
    static TenantCopy create() {
        return create(CopyLimits.defaults(), LoadMode.PLAIN, Clocks.system());
    }

    /**
     * A copy with limits of its own.
     *
     * @param limits how fast, how many streams, how long a row
     * @param mode whether foreign keys and triggers take notice
     * @param clocks the time
     * @return a new copy
     */
    static TenantCopy create(CopyLimits limits, LoadMode mode, Clocks clocks) {
        return new StreamingCopy(limits, mode, clocks, BigTables.RANGE_BYTES);
    }
}
