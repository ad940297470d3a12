package io.homeshard.routing;

import org.jspecify.annotations.Nullable;

/** Looks into a chain of causes. */
final class Causes {
    /** Longer chains are loops. */
    private static final int BOUND = 20;

    private Causes() {}

    static <T> @Nullable T find(Throwable failure, Class<T> type) {
        int left = BOUND;
        for (Throwable t = failure; t != null && left-- > 0; t = t.getCause()) {
            if (type.isInstance(t)) {
                return type.cast(t);
            }
        }
        return null;
    }
}
