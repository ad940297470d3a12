package io.homeshard.migrate.copy;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * COPY out of one connection into another, row by row as they come, without looking into them. What is not written yet
 * is not read either: at most one row and one batch are in memory. After a failure neither connection is of use.
 */
final class TableStream {
    /** How often those who watch are told. */
    private static final long TOLD_BYTES = 1L << 20;

    private final CopyPart part;
    private final CopyProgress progress;
    private final CopyTime time;

    /** Not told yet. */
    private long rows;

    private long bytes;
    private long toldRows;
    private boolean whole;

    TableStream(CopyPart part, CopyProgress progress, CopyTime time) {
        this.part = part;
        this.progress = progress;
        this.time = time;
    }

    /** Returns the number of rows. */
    long run(Connection source, Connection target) throws SQLException {
        try {
            long written = stream(source, target);
            whole = true;
            return written;
        } catch (SQLException e) {
            throw BrokenStreams.of(part.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BrokenStreams.interrupted(e);
        } catch (OutOfMemoryError e) {
            throw BrokenStreams.noHeap(part.name(), e);
        } finally {
            if (!whole) {
                OpenSessions.abort(source);
                OpenSessions.abort(target);
            }
        }
    }

    private long stream(Connection source, Connection target) throws SQLException, InterruptedException {
        time.statement();
        CopyOut out = pg(source).getCopyAPI().copyOut(CopyStatements.out(part));
        CopyIn in = pg(target).getCopyAPI().copyIn(CopyStatements.in(part));
        pump(out, in);
        long written = in.endCopy();
        long read = out.getHandledRowCount();
        if (written != read) {
            throw BrokenStreams.lost(part.name(), read, written);
        }
        // a message for each row, and in binary one for the end
        rows = written - toldRows;
        tell();
        return written;
    }

    private void pump(CopyOut out, CopyIn in) throws SQLException, InterruptedException {
        RowBatch batch = new RowBatch(in);
        while (pass(out, batch)) {
            if (bytes >= TOLD_BYTES) {
                tell();
            }
        }
        hold(batch.flush());
    }

    /** Passes one row on; on its own, so that no row is still referred to while the next is read. */
    private boolean pass(CopyOut out, RowBatch batch) throws SQLException, InterruptedException {
        byte[] row = out.readFromCopy();
        if (row == null) {
            return false;
        }
        if (row.length > time.maxRowBytes()) {
            throw BrokenStreams.tooWide(part.name(), row.length, time.maxRowBytes());
        }
        rows++;
        bytes += row.length;
        int sent = batch.add(row);
        if (sent > 0) {
            hold(sent);
        }
        return true;
    }

    private void hold(int sent) throws SQLException, InterruptedException {
        time.passed(part.name(), sent, progress);
    }

    private void tell() {
        progress.moved(part.name(), rows, bytes);
        toldRows += rows;
        rows = 0;
        bytes = 0;
    }

    private static PGConnection pg(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class);
    }
}
