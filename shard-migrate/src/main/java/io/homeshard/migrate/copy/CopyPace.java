package io.homeshard.migrate.copy;

import io.homeshard.migrate.throttle.Throttle;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * How fast rows may go. Thread-safe.
 *
 * @param throttle shared by all streams
 * @param limits of the copy
 * @param clocks the time
 */
record CopyPace(Throttle throttle, CopyLimits limits, Clocks clocks) {
    /** Waits until rows may go. */
    void hold(CopyProgress progress) throws InterruptedException {
        throttle.passed(0, progress::waiting);
    }

    /** Begins to take the time of a transaction on the target. */
    CopyTime begin(Connection target) throws SQLException {
        return new CopyTime(this, limits.mayHoldUp() ? CopyTime.lift(target) : CopyTime.NO_LIMIT);
    }
}
