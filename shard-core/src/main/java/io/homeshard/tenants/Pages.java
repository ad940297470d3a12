package io.homeshard.tenants;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over something that is sorted by tenant in byte order, read a page at a time. Used by one thread.
 *
 * @param <T> what is read
 */
final class Pages<T> {
    private static final int PAGE = 1000;

    private final Reading<T> reading;
    private final Function<T, String> name;
    private final Deque<T> page = new ArrayDeque<>();
    private String last = "";
    private boolean ended;

    /**
     * Reads a page.
     *
     * @param <T> what is read
     */
    interface Reading<T> {
        List<T> after(String last, int limit);
    }

    Pages(Reading<T> reading, Function<T, String> name) {
        this.reading = reading;
        this.name = name;
    }

    /** The next one's tenant, or null at the end. */
    @Nullable
    String peek() {
        if (page.isEmpty() && !ended) {
            List<T> next = reading.after(last, PAGE);
            page.addAll(next);
            ended = next.size() < PAGE;
            if (!next.isEmpty()) {
                last = name.apply(next.get(next.size() - 1));
            }
        }
        T first = page.peekFirst();
        return first == null ? null : name.apply(first);
    }

    /** The next one when it is of this tenant, else null. */
    @Nullable
    T take(String tenant) {
        return tenant.equals(peek()) ? page.pollFirst() : null;
    }

    /** Order of collation "C" on UTF-8; that of {@code String} differs beyond the basic plane. */
    static int compare(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
