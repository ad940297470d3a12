package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feed's thread. It alone touches the reader; {@code connection} is shared with {@link #close()}, which
 * aborts it to end a wait for notifications.
 */
final class JdbcPlacementFeed implements PlacementFeed {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcPlacementFeed.class);
    private static final String LISTEN = "LISTEN homeshard";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** A connection that answers nothing for so long is given up. */
    private static final int ANSWER_MILLIS = 10_000;
    /** How long close() waits for the thread; longer only when the data source itself hangs. */
    private static final long CLOSE_MILLIS = 5_000;

    private final DirectoryCalls calls;
    private final ChangeReader reader;
    private final Clocks clocks;
    private final Thread thread;
    private final Object lock = new Object();
    private volatile boolean closed;
    private volatile boolean live;
    /** Guarded by "lock". */
    private @Nullable Connection connection;

    private JdbcPlacementFeed(DataSource dataSource, Consumer<PlacementChange> sink, Clocks clocks) {
        this.calls = new DirectoryCalls(dataSource);
        this.reader = new ChangeReader(change -> tell(sink, change));
        this.clocks = clocks;
        this.thread = new Thread(this::run, "homeshard-feed");
        this.thread.setDaemon(true);
    }

    static JdbcPlacementFeed start(DataSource dataSource, Consumer<PlacementChange> sink, Clocks clocks) {
        JdbcPlacementFeed feed = new JdbcPlacementFeed(dataSource, sink, clocks);
        feed.thread.start();
        return feed;
    }

    @Override
    public boolean live() {
        return live;
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            if (connection != null) {
                abort(connection);
            }
        }
        thread.interrupt();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            boolean wasLive = false;
            try (Connection own = calls.open()) {
                follow(own);
            } catch (SQLException | RuntimeException e) {
                wasLive = live;
                if (!closed) {
                    LOG.info("placement feed - connection lost or not to be had, tries again: {}", e.toString());
                }
            } finally {
                live = false;
                synchronized (lock) {
                    connection = null;
                }
            }
            pause = wasLive ? FIRST_PAUSE : longer(pause);
            rest(pause);
        }
    }

    /**
     * Listens first, then catches up: what commits in between is both read and notified. A connection that has listened
     * does not go back to a pool alive: it would go on listening there.
     */
    private void follow(Connection own) throws SQLException {
        synchronized (lock) {
            if (closed) {
                return;
            }
            connection = own;
        }
        try {
            own.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            PGConnection notifications = own.unwrap(PGConnection.class);
            Jdbc.run(own, LISTEN);
            while (!closed) {
                reader.catchUp(own);
                live = true;
                notifications.getNotifications(HEARTBEAT_MILLIS);
            }
        } finally {
            abort(own);
        }
    }

    private void tell(Consumer<PlacementChange> sink, PlacementChange change) {
        if (closed) {
            return;
        }
        try {
            sink.accept(change);
        } catch (RuntimeException e) {
            LOG.warn("placement feed - a sink failed (map_version={})", change.mapVersion(), e);
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private void rest(Duration pause) {
        if (closed) {
            return;
        }
        try {
            clocks.sleep(pause);
        } catch (InterruptedException e) {
            LOG.debug("placement feed - woken", e);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("placement feed - abort failed", e);
        }
    }
}
