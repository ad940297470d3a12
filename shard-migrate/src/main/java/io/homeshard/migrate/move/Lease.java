package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of one move, renewed by a daemon thread. A mover asks {@link #check} before each effect; the fence on the
 * shards protects against the one that was paused between the question and the effect.
 *
 * <p>The thread also keeps alive the session that holds the table locks: when this process stops, or loses its lease,
 * the server ends that session, and with it the locks.
 */
final class Lease implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);
    private static final String PING = "SELECT 1";

    private final MoveParts parts;
    private final MoveTicket ticket;
    private final Thread thread;
    private volatile long renewedAt;
    private volatile @Nullable String lost;
    private volatile boolean cancelled;
    private volatile boolean closed;
    private volatile @Nullable Connection keptAlive;

    private Lease(MoveParts parts, MoveTicket ticket, long since) {
        this.parts = parts;
        this.ticket = ticket;
        this.renewedAt = since;
        this.thread = new Thread(this::renewUntilClosed, "homeshard-move-lease");
        thread.setDaemon(true);
    }

    /**
     * Holds a lease that was just granted.
     *
     * @param since monotonic time before it was asked for
     */
    static Lease hold(MoveParts parts, MoveTicket ticket, long since) {
        Lease lease = new Lease(parts, ticket, since);
        lease.thread.start();
        return lease;
    }

    /** Monotonic time, to be taken before a call that renews. */
    long now() {
        return parts.clocks().nanoTime();
    }

    /** Told that a step renewed the lease. */
    void renewed(long since) {
        renewedAt = since;
    }

    /** A session to keep alive from now on, or null. */
    void keepAlive(@Nullable Connection connection) {
        keptAlive = connection;
    }

    /** Passes when the next effect before the flip may be sent. */
    void check() {
        if (cancelled) {
            throw new MoveStopped("move was cancelled");
        }
        checkHeld();
    }

    /** Passes when the lease is held; the move may be cancelled. */
    void checkHeld() {
        String why = lost;
        if (why != null) {
            throw new MoveStopped("lease is lost: " + why);
        }
        Duration silent = Duration.ofNanos(now() - renewedAt);
        if (silent.compareTo(parts.config().lease()) >= 0) {
            throw new MoveStopped("lease ran out (lease=" + parts.config().lease() + ", silent=" + silent + ")");
        }
    }

    private void renewUntilClosed() {
        while (!closed) {
            try {
                parts.clocks().sleep(parts.config().renewEvery());
                renew();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (DirectoryUnavailableException e) {
                log.warn("move {} - lease was not renewed, directory cannot be reached", ticket.move(), e);
            }
        }
    }

    private void renew() {
        long since = now();
        StepResult result = parts.journal().renew(ticket, parts.config().lease());
        Optional<MoveRecord> move = parts.journal().find(ticket.move());
        boolean mine = move.isPresent() && move.get().epoch() == ticket.epoch();
        if (mine && move.get().phase() == MovePhase.ABORTING) {
            cancelled = true;
        }
        if (result.ok()) {
            renewedAt = since;
            ping();
        } else if (!mine || !move.get().phase().finished()) {
            lost = result.toString();
        }
    }

    private void ping() {
        Connection connection = keptAlive;
        if (connection == null) {
            return;
        }
        try {
            Jdbc.run(connection, PING);
        } catch (SQLException e) {
            log.warn("move {} - session with the table locks is gone", ticket.move(), e);
        }
    }

    @Override
    public void close() {
        closed = true;
        keptAlive = null;
        thread.interrupt();
    }
}
