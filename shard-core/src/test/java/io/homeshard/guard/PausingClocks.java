package io.homeshard.guard;

import io.homeshard.observe.Clocks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Waits as long as told, and lets the test look in after each pause. */
final class PausingClocks implements Clocks {
    private final Clocking.Pause after;
    private int pauses;

    PausingClocks(Clocking.Pause after) {
        this.after = after;
    }

    int pauses() {
        return pauses;
    }

    @Override
    public Instant now() {
        return Clocks.system().now();
    }

    @Override
    public long nanoTime() {
        return Clocks.system().nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Clocks.system().sleep(duration);
        try {
            after.during(++pauses);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
