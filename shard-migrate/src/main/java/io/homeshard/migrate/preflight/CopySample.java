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

/**
 * Copies some rows of a tenant out of a table to nowhere, and takes the time: a few rows first, and then as many as will
 * take 200 ms at that rate. Each copy is read to its end: breaking one off may hit the statement after it.
 */
record CopySample(Connection source, TenantId tenant, Clocks clocks, Duration patience) {
    private static final long FIRST_BYTES = 256L << 10;
    private static final long BYTES = 16L << 20;
    private static final long NANOS = Duration.ofMillis(200).toNanos();
    private static final String TENANT = "current_setting('homeshard.copy_tenant')";
    private static final String SETTINGS = """
            SELECT set_config('homeshard.copy_tenant', ?, true), set_config('statement_timeout', ?, true)
            """;

    /** PostgreSQL: query canceled, here by its statement_timeout. */
    private static final String CANCELED = "57014";

    private record Measured(long rows, long bytes, long nanos) {
        long rate() {
            return (long) (bytes * 1e9 / nanos);
        }

        /** How many rows will fill the time, and the memory of nobody. */
        long more() {
            return Math.min(BYTES / Math.max(1, bytes / rows), (long) (rows * ((double) NANOS / nanos)));
        }
    }

    /** Bytes a second; 0 when there are no rows, or when the first did not come for too long. */
    long rate(TenantTable table, TableEstimate estimate) throws SQLException {
        long width = Math.max(1, estimate.bytes() / Math.max(1, estimate.rows()));
        try {
            return PinnedTransaction.read(source, session -> {
                Jdbc.run(session, SETTINGS, tenant.value(), patience.toMillis() + "ms");
                long few = Math.max(1, FIRST_BYTES / width);
                Measured first = measure(session, sql(table, few));
                if (first.rows() < few || first.more() <= few) {
                    return first.rate();
                }
                return measure(session, sql(table, first.more())).rate();
            });
        } catch (SQLException e) {
            if (CANCELED.equals(e.getSQLState())) {
                return 0L;
            }
            throw e;
        }
    }

    private static String sql(TenantTable table, long rows) {
        String columns = table.columns().stream()
                .filter(column -> !column.generated())
                .map(TableColumn::name)
                .map(Identifiers::quote)
                .collect(Collectors.joining(", "));
        return "COPY (SELECT " + columns + " FROM " + table.from() + " WHERE "
                + table.tenant().matches(TENANT) + " LIMIT " + rows + ") TO STDOUT";
    }

    private Measured measure(Connection session, String sql) throws SQLException {
        long start = clocks.nanoTime();
        CopyOut out = session.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
        long bytes = 0;
        long rows = 0;
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            bytes += row.length;
            rows++;
        }
        return new Measured(rows, bytes, Math.max(1, clocks.nanoTime() - start));
    }
}
