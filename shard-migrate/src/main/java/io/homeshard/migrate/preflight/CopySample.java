package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TableColumn;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** Copies some rows of a tenant out of a table to nowhere, and takes the time. */
record CopySample(Connection source, TenantId tenant, Clocks clocks, Duration patience) {
    private static final long BYTES = 16L << 20;
    private static final long NANOS = Duration.ofMillis(200).toNanos();
    private static final String TENANT = "current_setting('homeshard.copy_tenant')";
    private static final String SETTINGS = """
            SELECT set_config('homeshard.copy_tenant', ?, true), set_config('statement_timeout', ?, true)
            """;

    /** PostgreSQL: query canceled, here by its statement_timeout. */
    private static final String CANCELED = "57014";

    /** Bytes a second; 0 when there are no rows, or when the first did not come for too long. */
    long rate(TenantTable table) throws SQLException {
        String columns = table.columns().stream()
                .filter(column -> !column.generated())
                .map(TableColumn::name)
                .map(Identifiers::quote)
                .collect(Collectors.joining(", "));
        String sql = "COPY (SELECT " + columns + " FROM " + table.from() + " WHERE "
                + table.tenant().matches(TENANT) + ") TO STDOUT";
        try {
            return PinnedTransaction.read(source, session -> {
                Jdbc.run(session, SETTINGS, tenant.value(), patience.toMillis() + "ms");
                return measure(session, sql);
            });
        } catch (SQLException e) {
            if (CANCELED.equals(e.getSQLState())) {
                return 0;
            }
            throw e;
        }
    }

    private long measure(Connection session, String sql) throws SQLException {
        long start = clocks.nanoTime();
        CopyOut out = session.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
        long bytes = 0;
        long took = 0;
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            bytes += row.length;
            took = clocks.nanoTime() - start;
            if (bytes >= BYTES || took >= NANOS) {
                out.cancelCopy();
                session.rollback();
                break;
            }
        }
        return bytes == 0 ? 0 : (long) (bytes * 1e9 / Math.max(1, took));
    }
}
