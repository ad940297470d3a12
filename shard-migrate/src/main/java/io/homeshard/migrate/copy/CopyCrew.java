package io.homeshard.migrate.copy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.PinnedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of one copy: that of the calling thread, and others beside it, each with a thread and two sessions of its
 * own, in the same snapshot. When one breaks, all are broken off, and the cause is the caller's.
 */
final class CopyCrew {
    private static final Logger log = LoggerFactory.getLogger(CopyCrew.class);
    private static final String EXPORT = "SELECT pg_export_snapshot()";

    /** What is over sooner than that is not worth the opening of sessions. */
    private static final long BYTES_ALONE = 4L << 20;

    private static final int UNITS_ALONE = 32;

    private final CopyEnds ends;
    private final WorkQueue queue;
    private final UnitCopy work;
    private final OpenSessions sessions = new OpenSessions();
    private final List<Thread> helpers = new ArrayList<>();

    CopyCrew(CopyEnds ends, WorkQueue queue, UnitCopy work) {
        this.ends = ends;
        this.queue = queue;
        this.work = work;
    }

    /**
     * Copies everything.
     *
     * @param source in the snapshot, and knows the tenant
     * @param streams how many at most, this thread's among them
     */
    void run(Connection source, int streams) throws SQLException {
        sessions.add(source);
        sessions.add(ends.target());
        CopySessions more = ends.more();
        if (streams > 1 && more != null) {
            String snapshot = Jdbc.one(source, EXPORT, row -> row.getString(1));
            Runnable start = () -> start(more, snapshot, streams);
            if (queue.units() > UNITS_ALONE) {
                start.run();
            } else {
                work.progress().beyond(BYTES_ALONE, start);
            }
        }
        drain(source, ends.target());
        join(source);
        Optional<Throwable> failure = queue.failure();
        if (failure.isPresent()) {
            throw thrown(failure.get());
        }
    }

    /** Called once, in the thread of {@link #run}, as long as that is the only one. */
    private void start(CopySessions more, String snapshot, int streams) {
        for (int number = 2; number <= streams; number++) {
            Thread helper = new Thread(() -> help(more, snapshot), "homeshard-copy-" + number);
            helper.setDaemon(true);
            helper.start();
            helpers.add(helper);
        }
    }

    /** A stream beside the first. One that cannot be opened is done without. */
    private void help(CopySessions more, String snapshot) {
        @Nullable Connection source = null;
        @Nullable Connection target = null;
        try {
            source = more.source();
            target = more.target();
        } catch (SQLException | RuntimeException e) {
            log.warn(
                    "tenant {} - a further stream of the copy was not opened",
                    work.token().tenant(),
                    e);
        }
        try {
            if (source != null && target != null && sessions.add(source) && sessions.add(target)) {
                stream(source, target, snapshot);
            }
        } finally {
            close(more, source);
            close(more, target);
        }
    }

    private void stream(Connection source, Connection target, String snapshot) {
        try {
            PinnedTransaction.read(source, snapshot, session -> {
                SourceSettings.apply(session, work.token().tenant());
                SourceSettings.sending(session, work.pace().limits().mayHoldUp());
                drain(session, target);
                return true;
            });
        } catch (SQLException | RuntimeException e) {
            fail(e, source, target);
        }
    }

    /** One that does not close, as an aborted one of a pool may not, must not keep the others open. */
    private void close(CopySessions more, @Nullable Connection session) {
        if (session == null) {
            return;
        }
        try {
            more.close(session);
        } catch (RuntimeException e) {
            log.warn(
                    "tenant {} - a session of the copy did not close",
                    work.token().tenant(),
                    e);
        }
    }

    private void drain(Connection source, Connection target) {
        try {
            for (Optional<CopyUnit> unit = queue.next(); unit.isPresent(); unit = queue.next()) {
                work.copy(unit.get(), source, target);
                queue.done();
            }
        } catch (SQLException | RuntimeException | Error e) {
            fail(e, source, target);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(BrokenStreams.interrupted(e), source, target);
        }
    }

    /** The stream that failed has closed its own sessions, unless they were fit for use. */
    private void fail(Throwable cause, Connection source, Connection target) {
        if (queue.fail(cause)) {
            sessions.abortAllBut(source, target);
        }
    }

    /** Those that wait for a database have been broken off when there is nothing to wait for. */
    private void join(Connection source) {
        boolean interrupted = false;
        for (Thread helper : helpers) {
            while (helper.isAlive()) {
                try {
                    helper.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    fail(BrokenStreams.interrupted(e), source, ends.target());
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static SQLException thrown(Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof SQLException checked ? checked : new SQLException(failure);
    }
}
