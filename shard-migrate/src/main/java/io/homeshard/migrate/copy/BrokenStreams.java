package io.homeshard.migrate.copy;

import io.homeshard.model.TableName;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Says of a stream that broke which table it was and what can be done, and keeps row contents out of the text. */
final class BrokenStreams {
    /** PostgreSQL: program limit exceeded; what it says of a row whose form is longer than 1 GB. */
    private static final String LIMIT_EXCEEDED = "54000";

    /** PostgreSQL: out of memory; an internal error, by which 15 and later report the same limit. */
    private static final String OUT_OF_MEMORY = "53200";

    private static final String INTERNAL = "XX000";
    private static final String TOO_LARGE = "invalid memory alloc request size";
    private static final String CANCELED = "57014";

    private BrokenStreams() {}

    static SQLException tooWide(TableName table, long bytes, long limit) {
        return new SQLException(
                "table " + table + " - a row is longer than the limit (maxRowBytes=" + limit + ", bytes=" + bytes
                        + "); raise the limit, and give the JVM a heap of four times as much",
                LIMIT_EXCEEDED);
    }

    static SQLException tooSlow(TableName table, Duration limit, Duration taken, Duration held) {
        return new SQLException(
                "table " + table + " - its copy takes longer than a statement may (limit=" + limit + ", taken=" + taken
                        + ", held up besides=" + held + "); raise the limit on statements of the move",
                CANCELED);
    }

    static SQLException noHeap(TableName table, OutOfMemoryError cause) {
        return new SQLException(
                "table " + table + " - rows do not fit into the heap (maxHeap="
                        + Runtime.getRuntime().maxMemory() + "); give the JVM four times the bytes of its longest row",
                OUT_OF_MEMORY,
                cause);
    }

    static SQLException interrupted(InterruptedException cause) {
        return new SQLException("copy was interrupted", CANCELED, cause);
    }

    static SQLException lost(TableName table, long read, long written) {
        return new SQLException("table " + table + " - rows were lost on the way, read " + read + ", wrote " + written
                + " (rows=" + (read - written) + ")");
    }

    static SQLException of(TableName table, SQLException cause) {
        if (!(cause instanceof PSQLException driver)) {
            return cause; // said here, or by whoever opened the connection
        }
        ServerErrorMessage server = driver.getServerErrorMessage();
        String text = String.valueOf(server == null ? cause.getMessage() : server.getMessage());
        String remedy = beyondServer(String.valueOf(cause.getSQLState()), text)
                ? "; a row is longer than PostgreSQL can send or take at once (limit=1 GB)"
                : "";
        return new SQLException("table " + table + " - copy broke: " + text + remedy, cause.getSQLState(), cause);
    }

    private static boolean beyondServer(String state, String text) {
        return LIMIT_EXCEEDED.equals(state) || (INTERNAL.equals(state) && text.contains(TOO_LARGE));
    }
}
