package io.homeshard.migrate.move;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TableGroup;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.copy.LoadTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Deletes the tenant's rows in batches, children before parents, under the mover's own token; each batch is the step.
 * Tables whose keys form a circle, where those are in force, go in one batch, whatever their size.
 *
 * @param mode whether triggers and foreign keys take notice
 */
record Sweeping(MoveSession session, Step step, LoadMode mode) {
    private static final String DEFER = "SET CONSTRAINTS ALL DEFERRED";
    private static final String KEEP_DEFERRED = "SELECT set_config('homeshard.sweep_deferred', 'on', true)";

    long run(Connection connection, TenantCatalog catalog) throws SQLException {
        long swept = 0;
        List<TableGroup> groups = catalog.groups();
        for (int i = groups.size() - 1; i >= 0; i--) {
            TableGroup group = groups.get(i);
            swept += group.circle() && mode == LoadMode.PLAIN
                    ? together(connection, group.tables())
                    : oneByOne(connection, group.tables());
        }
        return swept;
    }

    private long oneByOne(Connection connection, List<TenantTable> tables) throws SQLException {
        long swept = 0;
        for (int i = tables.size() - 1; i >= 0; i--) {
            TenantTable table = tables.get(i);
            long rows;
            do {
                session.lease().checkHeld();
                rows = session.step(step, () -> LoadTransaction.run(connection, mode, shard -> batch(shard, table)));
                swept += rows;
            } while (rows >= session.config().sweepBatch());
        }
        return swept;
    }

    private long together(Connection connection, List<TenantTable> tables) throws SQLException {
        session.lease().checkHeld();
        return session.step(
                step,
                () -> LoadTransaction.run(connection, mode, shard -> {
                    Jdbc.run(shard, DEFER);
                    Jdbc.run(shard, KEEP_DEFERRED);
                    long swept = 0;
                    for (TenantTable table : tables) {
                        long rows;
                        do {
                            session.lease().checkHeld();
                            rows = batch(shard, table);
                            swept += rows;
                        } while (rows >= session.config().sweepBatch());
                    }
                    return swept;
                }));
    }

    private long batch(Connection shard, TenantTable table) throws SQLException {
        return session.guard()
                .sweep(shard, session.token(), table.name(), session.config().sweepBatch());
    }
}
