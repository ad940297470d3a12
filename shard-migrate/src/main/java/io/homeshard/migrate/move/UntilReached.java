package io.homeshard.migrate.move;

import io.homeshard.directory.MoveRecord;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.DirectoryUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries work whose every step may be repeated until it is done or patience is over, each time with new sessions. */
record UntilReached(MoveParts parts, MoveRecord move, Lease lease, Watcher watcher) {
    private static final Logger log = LoggerFactory.getLogger(UntilReached.class);
    private static final Duration PAUSE = Duration.ofMillis(250);

    /** Work on one session. */
    @FunctionalInterface
    interface Work {
        void run(MoveSession session) throws SQLException;
    }

    void run(Work work) throws SQLException {
        long deadline = lease.now() + parts.config().steps().reachPatience().toNanos();
        while (true) {
            try (MoveSession session = new MoveSession(parts, asJournaled(), lease, watcher)) {
                work.run(session);
                return;
            } catch (SQLException e) {
                if (!unreachable(e) || lease.now() > deadline) {
                    throw e;
                }
                log.info("move {} - a shard cannot be reached, trying again", move.id(), e);
            } catch (DirectoryUnavailableException e) {
                if (lease.now() > deadline) {
                    throw e;
                }
                log.info("move {} - the directory cannot be reached, trying again", move.id(), e);
            }
            pause();
        }
    }

    /** The move with the phase it has reached, if it is still this mover's. */
    private MoveRecord asJournaled() {
        MoveRecord now = parts.journal()
                .find(move.id())
                .orElseThrow(() -> new MoveStopped("move is not in the journal any more"));
        if (now.epoch() != move.epoch()) {
            throw new MoveStopped(
                    "another mover has the move (epoch=" + now.epoch() + ", came with " + move.epoch() + ")");
        }
        return now;
    }

    private void pause() {
        try {
            parts.clocks().sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MoveStopped("mover was interrupted");
        }
    }

    private static boolean unreachable(SQLException e) {
        return e instanceof SQLTransientConnectionException
                || SqlStates.connectionLost(e)
                || SqlStates.LOCK_TIMEOUT.equals(e.getSQLState());
    }
}
