package io.homeshard;

/**
 * Work for one tenant that returns something.
 *
 * @param <T> what it returns
 * @param <E> what it throws; {@code RuntimeException} when it throws nothing checked
 */
@FunctionalInterface
public interface ThrowingCallable<T, E extends Exception> {
    /**
     * Does the work.
     *
     * @return the result
     * @throws E as the work likes
     */
    T call() throws E;
}
