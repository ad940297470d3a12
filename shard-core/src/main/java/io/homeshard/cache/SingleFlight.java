package io.homeshard.cache;

import io.homeshard.model.DirectoryUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** At most one read of a thing at a time; whoever comes meanwhile waits for its answer. */
final class SingleFlight<K, T> {
    private final ConcurrentMap<K, CompletableFuture<T>> flights = new ConcurrentHashMap<>();

    T load(K key, Supplier<T> read) {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> other = flights.putIfAbsent(key, mine);
        return other == null ? fly(key, mine, read) : join(other);
    }

    /** Whoever comes after this call does not join a read that began before it. */
    void abandon(K key) {
        flights.remove(key);
    }

    /** The same for all keys. */
    void abandonAll() {
        flights.clear();
    }

    private T fly(K key, CompletableFuture<T> mine, Supplier<T> read) {
        try {
            T answer = read.get();
            mine.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            flights.remove(key, mine);
        }
    }

    private T join(CompletableFuture<T> other) {
        try {
            return other.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DirectoryUnavailableException(
                    "directory - interrupted while waiting for another thread's read", e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            if (cause instanceof DirectoryUnavailableException unavailable) {
                // an exception of this thread's own, whose stack says who waited
                throw new DirectoryUnavailableException(String.valueOf(unavailable.getMessage()), unavailable);
            }
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("directory - another thread's read failed", cause);
        }
    }
}
