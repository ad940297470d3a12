package io.homeshard.examples.quickstart;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Prints each second what the load has done, whatever the main thread is at. */
final class Progress implements AutoCloseable {
    private final ScheduledExecutorService ticker;
    private final ScheduledFuture<?> ticks;

    private Progress(ScheduledExecutorService ticker, ScheduledFuture<?> ticks) {
        this.ticker = ticker;
        this.ticks = ticks;
    }

    static Progress of(Narration say, ClientLog log) {
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        return new Progress(ticker, ticker.scheduleAtFixedRate(() -> say.progress(log), 1, 1, TimeUnit.SECONDS));
    }

    /** Returns when no further line comes. */
    @Override
    public void close() throws InterruptedException {
        ticks.cancel(false);
        ticker.shutdown();
        if (!ticker.awaitTermination(5, TimeUnit.SECONDS)) {
            throw new IllegalStateException("progress did not end within 5 s");
        }
    }
}
