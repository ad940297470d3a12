package io.homeshard.guard;

import io.homeshard.observe.Clocks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Does not wait, but does something instead. */
final class Clocking implements Clocks {
    private final Pause pause;
    private int pauses;

    Clocking(Pause pause) {
        this.pause = pause;
    }

    interface Pause {
        void during(int count) throws SQLException;
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
    public void sleep(Duration duration) {
        try {
            pause.during(++pauses);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
