package io.homeshard.migrate.move;

import io.homeshard.model.StepResult;
import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the way forward when a freeze has taken all the time that it was given. It only asks the directory for ABORTING,
 * as a cancellation does; what is undone then is undone by the mover. A daemon thread that sleeps until then.
 */
final class FreezeTimer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FreezeTimer.class);
    private static final Duration AGAIN = Duration.ofMillis(250);

    private final Lease lease;
    private final Clocks clocks;
    private final long due;
    private final Supplier<String> reason;
    private final Function<String, StepResult> abort;
    private final Thread thread;

    private FreezeTimer(
            Lease lease, Clocks clocks, long due, Supplier<String> reason, Function<String, StepResult> abort) {
        this.lease = lease;
        this.clocks = clocks;
        this.due = due;
        this.reason = reason;
        this.abort = abort;
        this.thread = new Thread(this::run, "homeshard-freeze-timer");
        thread.setDaemon(true);
    }

    /**
     * Starts one that lives no longer than the lease.
     *
     * @param due monotonic time
     * @param reason told to the directory then
     * @param abort asks the directory for ABORTING
     */
    static void start(
            Lease lease, Clocks clocks, long due, Supplier<String> reason, Function<String, StepResult> abort) {
        FreezeTimer timer = new FreezeTimer(lease, clocks, due, reason, abort);
        lease.add(timer);
        timer.thread.start();
    }

    /** Passes while there is time. */
    void check() {
        if (clocks.nanoTime() - due >= 0) {
            throw new MoveStopped(reason.get());
        }
    }

    private void run() {
        try {
            for (long left = due - clocks.nanoTime(); left > 0; left = due - clocks.nanoTime()) {
                clocks.sleep(Duration.ofNanos(left));
            }
            while (!expired()) {
                clocks.sleep(AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean expired() {
        try {
            lease.expire(reason.get(), abort);
            return true;
        } catch (RuntimeException e) {
            log.warn("freeze - is over its time, and the directory was not told", e);
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
