package io.homeshard.migrate.move;

import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Deletes the tenant's rows in batches, children before parents, under the mover's own token. */
record Sweeping(MoveSession session) {
    long run(Connection connection, TenantCatalog catalog) throws SQLException {
        List<TenantTable> tables = catalog.tables();
        int batch = session.config().sweepBatch();
        long swept = 0;
        for (int i = tables.size() - 1; i >= 0; i--) {
            long rows;
            do {
                session.lease().checkHeld();
                rows = session.guard()
                        .sweep(connection, session.token(), tables.get(i).name(), batch);
                swept += rows;
                if (rows > 0) {
                    session.watcher().after(CrashPoint.Effect.SWEPT_BATCH);
                }
            } while (rows >= batch);
        }
        return swept;
    }
}
