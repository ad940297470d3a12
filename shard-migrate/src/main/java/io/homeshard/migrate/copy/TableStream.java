package io.homeshard.migrate.copy;

import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.throttle.Throttle;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/** COPY out of one connection into another. When anything breaks on the way, both connections are closed. */
final class TableStream {
    private static final long PROGRESS_BYTES = 1L << 20;

    /** PostgreSQL: query canceled. */
    private static final String CANCELED = "57014";

    private final Connection source;
    private final Connection target;
    private final TenantTable table;
    private long bytes;

    TableStream(Connection source, Connection target, TenantTable table) {
        this.source = source;
        this.target = target;
        this.table = table;
    }

    CopiedTable run(Throttle throttle, CopyListener listener) throws SQLException {
        try {
            CopyOut out = pg(source).getCopyAPI().copyOut(CopyStatements.out(table));
            CopyIn in = pg(target).getCopyAPI().copyIn(CopyStatements.in(table));
            pump(out, in, throttle, listener);
            long written = in.endCopy();
            long read = out.getHandledRowCount();
            if (written != read) {
                throw new SQLException("table " + table.name() + " - rows were lost on the way, read " + read
                        + ", wrote " + written + " (rows=" + (read - written) + ")");
            }
            return new CopiedTable(table.name(), written, bytes);
        } catch (SQLException | RuntimeException e) {
            abort(source, e);
            abort(target, e);
            throw e;
        }
    }

    private void pump(CopyOut out, CopyIn in, Throttle throttle, CopyListener listener) throws SQLException {
        long told = 0;
        for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
            in.writeToCopy(row, 0, row.length);
            bytes += row.length;
            if (bytes - told >= PROGRESS_BYTES) {
                listener.progress(table.name(), bytes);
                told = bytes;
            }
            slow(throttle, row.length);
        }
    }

    private void slow(Throttle throttle, int passed) throws SQLException {
        try {
            throttle.passed(passed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("table " + table.name() + " - copy was interrupted", CANCELED, e);
        }
    }

    private static PGConnection pg(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class);
    }

    /** A polite close would wait for the rest of the stream. */
    private static void abort(Connection connection, Exception cause) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
