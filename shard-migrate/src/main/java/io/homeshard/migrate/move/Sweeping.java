package io.homeshard.migrate.move;

import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Deletes the tenant's rows in batches, children before parents, under the mover's own token; each batch is the step. */
record Sweeping(MoveSession session, Step step) {
    long run(Connection connection, TenantCatalog catalog) throws SQLException {
        List<TenantTable> tables = catalog.tables();
        int batch = session.config().sweepBatch();
        long swept = 0;
        for (int i = tables.size() - 1; i >= 0; i--) {
            long rows;
            do {
                session.lease().checkHeld();
                TableName table = tables.get(i).name();
                rows = session.step(step, () -> session.guard().sweep(connection, session.token(), table, batch));
                swept += rows;
            } while (rows >= batch);
        }
        return swept;
    }
}
