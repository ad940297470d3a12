package io.homeshard.migrate.move;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of one move, renewed by a daemon thread. A mover asks {@link #check} before each effect; the fence on the
 * shards protects against the one that was paused between the question and the effect.
 *
 * <p>The thread also keeps sessions alive, among them the one that holds the table locks: when this process stops, or
 * loses its lease, the server ends that session, and with it the locks. And it breaks off what the mover is waiting for
 * when that has become pointless: the move was cancelled, the lease is lost, or a shard gives no sign of life. A mover
 * that hangs on a dead network would else keep the tenant frozen and the lease alive.
 */
final class Lease implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);
    private static final String PING = "SELECT 1";
    private static final Duration GIVE_BACK_PATIENCE = Duration.ofSeconds(5);

    private final MoveParts parts;
    private final MoveTicket ticket;
    private final Thread thread;
    private volatile long renewedAt;
    private volatile @Nullable String lost;
    private volatile boolean cancelled;
    private volatile boolean closed;
    private volatile boolean givenBack;
    private final OpenConnections connections;
    private volatile List<Connection> keptAlive = List.of();
    private volatile @Nullable String brokenOff;
    /** Held while the directory is asked to end the way forward, and when the flip is about to be sent. */
    private final ReentrantLock flipping = new ReentrantLock();

    private volatile boolean flipSent;
    private final List<FreezeTimer> timers = new CopyOnWriteArrayList<>();
    private volatile Runnable atClose = () -> {};
    private volatile @Nullable CopyTracker tracker;

    private Lease(MoveParts parts, MoveTicket ticket, long since) {
        this.parts = parts;
        this.ticket = ticket;
        this.connections = new OpenConnections(ticket.move());
        this.renewedAt = since;
        this.thread = new Thread(this::run, "homeshard-move-lease");
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

    /** Sessions to keep alive from now on, and whose silence ends the way forward. */
    void keepAlive(Connection... sessions) {
        keptAlive = List.of(sessions);
    }

    /**
     * Told of each connection of the mover.
     *
     * @param forward whether it serves the way forward, and is to be broken off when the move is cancelled
     */
    void opened(Connection connection, boolean forward) {
        connections.add(connection, forward);
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    UUID move() {
        return ticket.move();
    }

    /** Something to be done when this is closed. */
    void atClose(Runnable last) {
        atClose = last;
    }

    /** A timer that is to end with this. */
    void add(FreezeTimer timer) {
        timers.add(timer);
    }

    /** A copy whose progress is told to the directory with each renewal. */
    void track(CopyTracker copy) {
        tracker = copy;
    }

    /** Told that the directory has said ABORTING. */
    void cancelled(String reason) {
        if (!cancelled) {
            cancelled = true;
            stopForward("move was cancelled: " + reason);
        }
    }

    /**
     * Asks the directory to end the way forward, unless the flip was sent: from then on only its answer counts.
     *
     * @param why told to the directory
     * @param abort asks it
     */
    void expire(String why, Function<String, StepResult> abort) {
        flipping.lock();
        try {
            if (!flipSent && !cancelled && !closed && abort.apply(why).ok()) {
                cancelled = true;
                stopForward(why);
            }
        } finally {
            flipping.unlock();
        }
    }

    /** Passes when the flip may be sent; no timer ends the way forward from here on. */
    void sendFlip() {
        flipping.lock();
        try {
            check();
            timers.forEach(FreezeTimer::check);
            flipSent = true;
        } finally {
            flipping.unlock();
        }
    }

    /** Why this has broken off what the mover was waiting for, if it has. */
    Optional<String> brokenOff() {
        return Optional.ofNullable(brokenOff);
    }

    /** Passes when the next effect before the flip may be sent. */
    void check() {
        if (cancelled) {
            throw new MoveStopped(brokenOff().orElse("move was cancelled"));
        }
        checkHeld();
    }

    /** Passes when the lease is held; the move may be cancelled. */
    void checkHeld() {
        String why = whyLost();
        if (why != null) {
            throw new MoveStopped(why);
        }
    }

    private @Nullable String whyLost() {
        String why = lost;
        if (why != null) {
            return "lease is lost: " + why;
        }
        Duration silent = Duration.ofNanos(now() - renewedAt);
        return silent.compareTo(parts.config().lease().duration()) < 0
                ? null
                : "lease ran out (lease=" + parts.config().lease().duration() + ", silent=" + silent + ")";
    }

    /** From now on {@link #close} tells the directory that the move may be taken over at once. */
    void giveBackAtClose() {
        givenBack = true;
    }

    private void run() {
        renewUntilClosed();
        if (givenBack) {
            giveBack();
        }
    }

    private void giveBack() {
        Thread.interrupted(); // closing interrupts the thread, which would break this call off
        try {
            parts.journal().renew(ticket, Duration.ZERO);
        } catch (RuntimeException e) {
            log.debug("move {} - lease was not given back, it ends by itself", ticket.move(), e);
        }
    }

    private void renewUntilClosed() {
        while (!closed) {
            try {
                parts.clocks().sleep(parts.config().lease().renewEvery());
                renew();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                log.warn("move {} - lease was not renewed", ticket.move(), e);
            }
            String why = whyLost();
            if (why != null && !closed) {
                brokenOff = why;
                connections.abortAll();
            }
        }
    }

    private void renew() {
        long since = now();
        StepResult result = parts.journal().renew(ticket, parts.config().lease().duration());
        Optional<MoveRecord> move = parts.journal().find(ticket.move());
        boolean mine = move.isPresent() && move.get().epoch() == ticket.epoch();
        if (mine && move.get().phase() == MovePhase.ABORTING) {
            cancelled(String.valueOf(move.get().reason()));
        }
        if (result.ok()) {
            renewedAt = since;
            ping();
            tellProgress();
        } else if (!mine || !move.get().phase().finished()) {
            lost = result.toString();
        }
    }

    private void tellProgress() {
        CopyTracker copy = tracker;
        if (copy != null) {
            copy.logWhenDue();
            MoveProgress progress = copy.now();
            parts.journal().progress(ticket, progress);
            if (progress.complete()) {
                tracker = null;
            }
        }
    }

    private void ping() {
        List<Connection> sessions = keptAlive;
        for (Connection session : sessions) {
            try {
                Jdbc.run(session, PING);
            } catch (SQLException e) {
                if (sessions == keptAlive) {
                    log.warn("move {} - a shard gives no sign of life", ticket.move(), e);
                    stopForward("a shard gives no sign of life: " + e.getMessage());
                }
                return;
            }
        }
    }

    private void stopForward(String why) {
        keptAlive = List.of();
        brokenOff = why;
        connections.abortForward();
    }

    @Override
    public void close() {
        closed = true;
        keptAlive = List.of();
        thread.interrupt();
        timers.forEach(FreezeTimer::close);
        atClose.run();
        if (givenBack) {
            waitForThread();
        }
    }

    private void waitForThread() {
        try {
            thread.join(GIVE_BACK_PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
