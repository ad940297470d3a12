package io.homeshard.migrate.gather;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row that lies where it does not belong: its place there, its hash, and its values as text. */
record Stray(String relation, String place, String hash, List<@Nullable String> key, List<@Nullable String> values) {
    /** How a row compares with the home. */
    enum Verdict {
        IDENTICAL(""),
        DIFFERING("the home has other values under its key"),
        MISSING("the home has no such row");

        private final String why;

        Verdict(String why) {
            this.why = why;
        }

        /** Why it is put aside; empty when it is not. */
        String why() {
            return why;
        }
    }
}
