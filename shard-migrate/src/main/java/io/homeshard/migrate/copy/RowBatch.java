package io.homeshard.migrate.copy;

import java.sql.SQLException;
import org.postgresql.copy.CopyIn;

/**
 * Gathers rows into messages of a good size: PostgreSQL takes the data of a COPY in pieces cut anywhere, and a message
 * for each row costs a copy of its header, a lock and, for rows beyond the driver's small buffer, a system call. A row
 * that is longer than a batch is not copied.
 */
final class RowBatch {
    private static final int BYTES = 1 << 16;

    private final CopyIn in;
    private final byte[] bytes = new byte[BYTES];
    private int filled;

    RowBatch(CopyIn in) {
        this.in = in;
    }

    /** Takes a row; returns how many bytes went out, mostly none. */
    int add(byte[] row) throws SQLException {
        int sent = row.length > bytes.length - filled ? flush() : 0;
        if (row.length > bytes.length) {
            in.writeToCopy(row, 0, row.length);
            return sent + row.length;
        }
        System.arraycopy(row, 0, bytes, filled, row.length);
        filled += row.length;
        return sent;
    }

    /** Sends what was gathered; returns how many bytes that was. */
    int flush() throws SQLException {
        int sent = filled;
        if (sent > 0) {
            in.writeToCopy(bytes, 0, sent);
            filled = 0;
        }
        return sent;
    }
}
