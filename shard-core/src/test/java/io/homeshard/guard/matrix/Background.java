package io.homeshard.guard.matrix;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** SQL of one session that is expected to wait while others go on. Not thread-safe. */
final class Background {
    private static final Duration TOO_LONG = Duration.ofSeconds(20);
    private static final String WAITS = "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = ? AND NOT granted)";

    private final ExecutorService thread;
    private @Nullable Session sender;
    private @Nullable Future<String> sent;

    Background(ExecutorService thread) {
        this.thread = thread;
    }

    /** Something whose outcome is told. */
    @FunctionalInterface
    interface Sending {
        String run() throws SQLException;
    }

    /** Runs something on a session that nobody else may use until it has ended. */
    void send(Session session, Sending sending) {
        sender = session;
        sent = thread.submit(sending::run);
    }

    boolean sentBy(Session session) {
        return session.equals(sender);
    }

    /** True as soon as the sender waits for a lock, false when what was sent ended without. */
    boolean waits(Session watcher) throws SQLException, InterruptedException {
        Deadline deadline = Deadline.in(TOO_LONG);
        while (!ended(2)) {
            if (sender != null && watcher.value(WAITS, sender.pid()).equals("true")) {
                return true;
            }
            deadline.check("what was sent neither waits nor ends");
        }
        return false;
    }

    /** Outcome of what was sent, when that has come. */
    String outcome() throws InterruptedException, ExecutionException, TimeoutException {
        return sent == null ? "nothing sent" : sent.get(TOO_LONG.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean ended(long millis) throws InterruptedException {
        try {
            if (sent != null) {
                sent.get(millis, TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }
}
