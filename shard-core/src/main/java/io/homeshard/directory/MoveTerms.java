package io.homeshard.directory;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a move may freeze its tenant, and for how long. Immutable; null bounds nothing.
 *
 * @param notBefore no freeze is begun earlier, by the directory's clock
 * @param notAfter no freeze is begun then or later, and one that has not come to the flip by then is thawed, by the
 *     directory's clock; later than {@code notBefore}
 * @param freezeBudget longest time from the freeze to the flip, at least a millisecond
 */
public record MoveTerms(
        @Nullable Instant notBefore,
        @Nullable Instant notAfter,
        @Nullable Duration freezeBudget) {
    /** At any time, for as long as it takes. */
    public static final MoveTerms NONE = new MoveTerms(null, null, null);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException when the window is empty or the budget is below a millisecond
     */
    public MoveTerms {
        if (notBefore != null && notAfter != null && !notBefore.isBefore(notAfter)) {
            throw new IllegalArgumentException("notAfter must be > notBefore " + notBefore + ", was " + notAfter);
        }
        if (freezeBudget != null && freezeBudget.toMillis() < 1) {
            throw new IllegalArgumentException("freezeBudget must be >= PT0.001S, was " + freezeBudget);
        }
    }

    /**
     * The same with another window.
     *
     * @param from first moment, or null
     * @param until end, or null
     * @return a copy
     */
    public MoveTerms within(@Nullable Instant from, @Nullable Instant until) {
        return new MoveTerms(from, until, freezeBudget);
    }

    /**
     * The same with another budget.
     *
     * @param longest longest time from the freeze to the flip, or null
     * @return a copy
     */
    public MoveTerms freezeBudget(@Nullable Duration longest) {
        return new MoveTerms(notBefore, notAfter, longest);
    }
}
