package io.homeshard.migrate.move;

import java.util.ArrayList;
import java.util.List;

/**
 * A moment at which a mover may stop dead, and tests let it: directly before a step with an effect, or after the effect
 * and before its acknowledgement is used.
 *
 * @param when on which side of the step
 * @param step the step
 */
record CrashPoint(When when, Step step) {
    /** Sides of a step. */
    enum When {
        BEFORE,
        AFTER
    }

    static CrashPoint before(Step step) {
        return new CrashPoint(When.BEFORE, step);
    }

    static CrashPoint after(Step step) {
        return new CrashPoint(When.AFTER, step);
    }

    /** All there are, in the order of the steps. */
    static List<CrashPoint> all() {
        List<CrashPoint> points = new ArrayList<>();
        for (Step step : Step.values()) {
            points.add(before(step));
            points.add(after(step));
        }
        return List.copyOf(points);
    }

    /** The point that {@link #toString} names. */
    static CrashPoint of(String name) {
        int space = name.indexOf(' ');
        return new CrashPoint(When.valueOf(name.substring(0, space)), Step.valueOf(name.substring(space + 1)));
    }

    @Override
    public String toString() {
        return when + " " + step;
    }
}
