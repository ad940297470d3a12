package io.homeshard;

/**
 * Work for one tenant that returns nothing.
 *
 * @param <E> what it throws; {@code RuntimeException} when it throws nothing checked
 */
@FunctionalInterface
public interface ThrowingRunnable<E extends Exception> {
    /**
     * Does the work.
     *
     * @throws E as the work likes
     */
    void run() throws E;
}
