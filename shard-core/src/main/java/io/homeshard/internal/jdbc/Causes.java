package io.homeshard.internal.jdbc;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks into a chain of causes. */
public final class Causes {
    /** Longer chains are loops. */
    private static final int BOUND = 20;

    private Causes() {}

    /**
     * The first of a type.
     *
     * @param <T> the type
     * @param failure begins the chain
     * @param type what is looked for
     * @return the first in the chain, the failure itself included, or null
     */
    public static <T> @Nullable T find(Throwable failure, Class<T> type) {
        return find(failure, type, any -> true);
    }

    /**
     * The first of a type that meets a condition.
     *
     * @param <T> the type
     * @param failure begins the chain
     * @param type what is looked for
     * @param condition what it must meet
     * @return the first in the chain, the failure itself included, or null
     */
    public static <T> @Nullable T find(Throwable failure, Class<T> type, Predicate<? super T> condition) {
        int left = BOUND;
        for (Throwable t = failure; t != null && left-- > 0; t = t.getCause()) {
            if (type.isInstance(t) && condition.test(type.cast(t))) {
                return type.cast(t);
            }
        }
        return null;
    }
}
