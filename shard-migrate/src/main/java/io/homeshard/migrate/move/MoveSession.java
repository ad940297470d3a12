package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One mover at work on one move: its connections, its lease and the phase it has reached. Used by the thread that
 * runs the move; the streams of a copy only open and close sessions of their own through it.
 *
 * <p>All sessions carry the mover's name, by which a successor ends them, and bounded timeouts, so that a mover that
 * hangs blocks nobody for ever.
 */
final class MoveSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MoveSession.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private final MoveParts parts;
    private final MoveRecord move;
    private final Lease lease;
    private final Watcher watcher;
    private MovePhase phase;
    private @Nullable Connection source;
    private @Nullable Connection target;
    private @Nullable Connection side;
    private @Nullable Connection pulse;

    MoveSession(MoveParts parts, MoveRecord move, Lease lease, Watcher watcher) {
        this.parts = parts;
        this.move = move;
        this.lease = lease;
        this.watcher = watcher;
        this.phase = move.phase();
    }

    MoveParts parts() {
        return parts;
    }

    WriteGuard guard() {
        return parts.guard();
    }

    MoveConfig config() {
        return parts.config();
    }

    MoveRecord move() {
        return move;
    }

    Lease lease() {
        return lease;
    }

    Watcher watcher() {
        return watcher;
    }

    MovePhase phase() {
        return phase;
    }

    /** Runs a step that has an effect; see {@link Steps}. */
    <T extends @Nullable Object, X extends Exception> T step(Step step, Steps.Work<T, X> work) throws X {
        return watcher.steps().run(step, work);
    }

    /** The same for a step without result. */
    <X extends Exception> void act(Step step, Steps.Action<X> action) throws X {
        watcher.steps().act(step, action);
    }

    /** Runs a step that the other side may refuse, which stops the move. */
    <X extends Exception> void require(Step step, String what, Steps.Work<StepResult, X> work) throws X {
        step(step, () -> {
            StepResult result = work.run();
            MoveStopped.unlessOk(result, what);
            return result;
        });
    }

    MoveTicket ticket() {
        return ticket(move);
    }

    /** What proves that a mover runs a move as the journal gave it to it. */
    static MoveTicket ticket(MoveRecord move) {
        return new MoveTicket(move.id(), move.epoch(), move.attempt());
    }

    MoverToken token() {
        return new MoverToken(move.tenant(), move.id(), move.epoch(), move.attempt());
    }

    /** Generation that the tenant has, or will have, on the target. */
    long nextGeneration() {
        return move.generation() + 1;
    }

    /** Session on the source, in autocommit: steps and reading. */
    Connection source() throws SQLException {
        if (source == null) {
            source = open(move.source());
        }
        return source;
    }

    /** Session on the target, in autocommit: steps and writing. */
    Connection target() throws SQLException {
        if (target == null) {
            target = open(move.target());
        }
        return target;
    }

    /** Session on the source that holds the table locks in one transaction. */
    Connection side() throws SQLException {
        if (side == null) {
            side = open(move.source());
            SessionLimits.forSignsOfLife(side, config());
            side.setAutoCommit(false);
        }
        return side;
    }

    /** Session on the target that does nothing but show that the target can be reached. */
    Connection pulse() throws SQLException {
        if (pulse == null) {
            pulse = open(move.target());
            SessionLimits.forSignsOfLife(pulse, config());
        }
        return pulse;
    }

    /** Work on many rows, which may say nothing for as long as a statement may take. */
    @FunctionalInterface
    interface ManyRows<T> {
        T run() throws SQLException;
    }

    /** Does work on many rows on sessions of this mover; one on which it failed is not to be used again. */
    <T> T onManyRows(ManyRows<T> work, Connection... sessions) throws SQLException {
        for (Connection session : sessions) {
            SessionLimits.forManyRows(session, config());
        }
        T result = work.run();
        for (Connection session : sessions) {
            SessionLimits.forSteps(session, config());
        }
        return result;
    }

    /** Journals the next phase and tells the listener. Repeats itself while the directory cannot be reached. */
    void advance(MovePhase to, String detail) {
        long deadline = lease.now() + config().steps().reachPatience().toNanos();
        while (true) {
            long since = lease.now();
            try {
                require(
                        Step.entering(to),
                        phase + " to " + to,
                        () -> parts.journal()
                                .advance(
                                        ticket(),
                                        phase,
                                        to,
                                        detail,
                                        config().lease().duration()));
                lease.renewed(since);
                break;
            } catch (DirectoryUnavailableException e) {
                if (since > deadline) {
                    throw e;
                }
                pause(PAUSE);
                lease.checkHeld();
            }
        }
        entered(to);
    }

    /** Takes note of a phase that the journal has reached by another step than {@link #advance}. */
    void entered(MovePhase to) {
        phase = to;
        log.debug("move {} - {}", move.id(), to);
        watcher.phase(move, to, parts.clocks());
    }

    void pause(Duration duration) {
        try {
            parts.clocks().sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MoveStopped("mover was interrupted");
        }
    }

    /** A new session of this mover on a shard, for the caller to close. */
    Connection open(ShardId id) throws SQLException {
        Shard shard = parts.directory()
                .shard(id)
                .orElseThrow(() -> new MoveStopped("shard " + id + " - is not in the directory"));
        Connection connection = parts.pools().open(shard, WriteGuard.applicationName(token()));
        try {
            lease.opened(connection, phase.beforeFlip());
            SessionLimits.apply(connection, config());
            return connection;
        } catch (SQLException | RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    /** Lets the table locks go. */
    void releaseSide() {
        lease.keepAlive();
        close(side);
        close(pulse);
        side = null;
        pulse = null;
    }

    @Override
    public void close() {
        releaseSide();
        close(source);
        close(target);
    }

    /** Ends a session that this opened, if there is one. */
    void close(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        lease.closed(connection);
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("move {} - session did not close cleanly", move.id(), e);
        }
    }
}
