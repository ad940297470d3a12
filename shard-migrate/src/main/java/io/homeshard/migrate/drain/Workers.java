package io.homeshard.migrate.drain;

import io.homeshard.observe.Clocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that work through what they are given until they are stopped: what has begun ends, what has not is
 * skipped. An interrupt of the thread that waits stops them, and is kept for the caller. Given work by one thread.
 */
final class Workers implements AutoCloseable {
    private final ExecutorService threads;
    private final List<Future<?>> given = new ArrayList<>();
    private volatile boolean stopped;
    private boolean interrupted;

    Workers(int count) {
        this.threads = Executors.newFixedThreadPool(count, work -> {
            Thread thread = new Thread(work, "homeshard-drain");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Work for one of the threads.
     *
     * @param skipped run instead when the workers were stopped before it began
     */
    void submit(Runnable work, Runnable skipped) {
        given.add(threads.submit(() -> run(stopped ? skipped : work)));
    }

    /** An error is seen by whoever waits, later; until then nothing more shall begin. */
    private void run(Runnable work) {
        boolean ended = false;
        try {
            work.run();
            ended = true;
        } finally {
            if (!ended) {
                stop();
            }
        }
    }

    /** Nothing more is begun. */
    void stop() {
        stopped = true;
    }

    boolean mayBegin() {
        return !stopped;
    }

    /** Waits until all that was given is done or skipped. An error of the work, which nobody expects, is thrown then. */
    void await() {
        Throwable unexpected = null;
        for (Future<?> one : given) {
            Throwable thrown = await(one);
            unexpected = unexpected == null ? thrown : unexpected;
        }
        given.clear();
        if (unexpected instanceof Error error) {
            throw error;
        }
        if (unexpected != null) {
            throw new IllegalStateException(unexpected);
        }
    }

    private @Nullable Throwable await(Future<?> one) {
        while (true) {
            try {
                one.get();
                return null;
            } catch (InterruptedException e) {
                interrupted = true;
                stop();
            } catch (ExecutionException e) {
                return e.getCause();
            }
        }
    }

    void sleep(Clocks clocks, Duration time) {
        try {
            clocks.sleep(time);
        } catch (InterruptedException e) {
            interrupted = true;
            stop();
        }
    }

    /** What has begun is waited for: whoever closes takes away what it needs to end. */
    @Override
    public void close() {
        stop();
        try {
            await();
        } finally {
            threads.shutdown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
