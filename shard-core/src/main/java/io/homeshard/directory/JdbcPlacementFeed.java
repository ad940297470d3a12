package io.homeshard.directory;

import io.homeshard.internal.jdbc.DirectoryCalls;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.HomeshardClosedException;
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
 * The feed's thread. It alone touches the reader; {@code connection} is shared with {@link #close()}, which aborts it
 * when the thread does not end soon. Otherwise the connection goes back as it came, so that its pool has nothing to
 * complain about.
 */
final class JdbcPlacementFeed implements PlacementFeed {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcPlacementFeed.class);
    private static final String LISTEN = "LISTEN homeshard";
    private static final String UNLISTEN = "UNLISTEN *";

    /** Asked before anything fails: a schema that is not rolled out yet is no error, here or in the server's log. */
    private static final String HAS_SCHEMA = """
            SELECT to_regclass('homeshard.map_version') IS NOT NULL
               AND to_regclass('homeshard.directory_meta') IS NOT NULL
               AND to_regclass('homeshard.placement_history') IS NOT NULL""";

    private static final String NO_SCHEMA =
            "waits for the schema of the directory, which SchemaRollout.migrateDirectory() brings";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** A connection that answers nothing for so long is given up. */
    private static final int ANSWER_MILLIS = 10_000;
    /** A wait for notifications is not interruptible, so it is short; the heartbeat is a number of such waits. */
    private static final int POLL_MILLIS = 200;
    /** How long close() waits for the thread before it aborts the connection. */
    private static final long GRACE_MILLIS = 1_000;
    /** How long close() waits then; longer only when the data source itself hangs. */
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
    /** What was logged last; the same again is not worth a line at each attempt. The thread's own. */
    private String said = "";

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
        closed = true;
        thread.interrupt();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(GRACE_MILLIS);
            if (thread.isAlive()) {
                abortOwn();
                thread.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void abortOwn() {
        synchronized (lock) {
            if (connection != null) {
                abort(connection);
            }
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
                failed(e);
            } finally {
                live = false;
            }
            pause = wasLive ? FIRST_PAUSE : longer(pause);
            rest(pause);
        }
    }

    /**
     * Listens first, then catches up: what commits in between is both read and notified. Returns without doing so while
     * there is nothing to read.
     */
    private void follow(Connection own) throws SQLException {
        int timeoutBefore = own.getNetworkTimeout();
        own(own);
        try {
            own.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            if (!Jdbc.one(own, HAS_SCHEMA, row -> row.getBoolean(1))) {
                say(NO_SCHEMA);
                return;
            }
            PGConnection notifications = own.unwrap(PGConnection.class);
            Jdbc.run(own, LISTEN);
            while (!closed) {
                reader.catchUp(own);
                live = true;
                said = "";
                await(notifications);
            }
        } finally {
            leave(own, timeoutBefore);
            own(null);
        }
    }

    private void own(@Nullable Connection now) {
        synchronized (lock) {
            connection = now;
        }
    }

    /** Until there is a notification, the heartbeat is due or the feed is closed. */
    private void await(PGConnection notifications) throws SQLException {
        for (int waited = 0; waited < HEARTBEAT_MILLIS && !closed; waited += POLL_MILLIS) {
            if (notifications.getNotifications(POLL_MILLIS).length > 0) {
                return;
            }
        }
    }

    /** A connection that has listened does not go back to a pool listening: it ends where it cannot stop. */
    private static void leave(Connection own, int timeoutBefore) {
        try {
            Jdbc.run(own, UNLISTEN);
            own.unwrap(PGConnection.class).getNotifications(); // those that nobody has fetched
            own.setNetworkTimeout(Runnable::run, timeoutBefore);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("placement feed - connection is not fit to be given back", e);
            abort(own);
        }
    }

    private void failed(Exception e) {
        if (closed || e instanceof HomeshardClosedException) {
            return;
        }
        if (e instanceof SQLException sql && SqlStates.schemaMissing(sql)) {
            say(NO_SCHEMA);
            return;
        }
        SQLException sql = SqlStates.find(e, "");
        String state = sql == null ? e.getClass().getName() : "sqlstate=" + sql.getSQLState();
        say("connection lost or not to be had, tries again (" + state + ")");
        LOG.debug("placement feed - what failed", e);
    }

    private void say(String what) {
        if (!what.equals(said)) {
            LOG.info("placement feed - {}", what);
            said = what;
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
