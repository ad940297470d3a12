package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The time that COPY statements take in one transaction on the target. A server counts the time in which a copy is paused
 * or held up by its rate, and would break it off for it; so where that can be, the server's own limit is lifted while rows
 * travel, and kept here without that time. For one thread.
 */
final class CopyTime {
    /** The server keeps its limit itself, or has none. */
    static final long NO_LIMIT = 0;

    // the inner query is computed first: OFFSET 0 keeps the planner from merging the two
    private static final String LIFT = """
            SELECT (1000 * extract(epoch FROM was::interval))::bigint, set_config('statement_timeout', '0', true)
              FROM (SELECT current_setting('statement_timeout') AS was OFFSET 0) before
            """;
    private static final String RESTORE = "SELECT set_config('statement_timeout', ?, true)";

    private final CopyPace pace;
    private final long limitMillis;
    private long begun;
    private long held;

    CopyTime(CopyPace pace, long limitMillis) {
        this.pace = pace;
        this.limitMillis = limitMillis;
    }

    /** Lifts the limit on statements of the open transaction; returns what it was, in milliseconds. */
    static long lift(Connection target) throws SQLException {
        return Jdbc.one(target, LIFT, row -> row.getLong(1));
    }

    /** The COMMIT, which checks deferred constraints, has the server's limit again. */
    void end(Connection target) throws SQLException {
        if (limitMillis != NO_LIMIT) {
            Jdbc.run(target, RESTORE, limitMillis + "ms");
        }
    }

    long maxRowBytes() {
        return pace.limits().maxRowBytes();
    }

    /** The next statement begins. */
    void statement() {
        begun = pace.clocks().nanoTime();
        held = 0;
    }

    /** Told of bytes that went out; waits when the copy is held up. */
    void passed(TableName table, int bytes, CopyProgress progress) throws SQLException, InterruptedException {
        long before = pace.clocks().nanoTime();
        long taken = before - begun - held;
        if (limitMillis != NO_LIMIT && taken > Duration.ofMillis(limitMillis).toNanos()) {
            throw BrokenStreams.tooSlow(
                    table, Duration.ofMillis(limitMillis), Duration.ofNanos(taken), Duration.ofNanos(held));
        }
        pace.throttle().passed(bytes, progress::waiting);
        held += pace.clocks().nanoTime() - before;
    }
}
