package io.homeshard.examples.academy;

import java.math.BigDecimal;
import java.util.List;

/** What the academy sells. */
public final class Courses {
    /** The names of the courses. */
    public static final List<String> NAMES = List.of(
            "algebra",
            "botany",
            "chemistry",
            "drawing",
            "economics",
            "fencing",
            "geology",
            "history",
            "irrigation",
            "juggling");

    private Courses() {}

    /**
     * Price of one seat.
     *
     * @param course index into {@link #NAMES}
     * @return the price
     */
    public static BigDecimal price(int course) {
        return BigDecimal.valueOf(1_999L + 250L * course, 2);
    }
}
