package io.homeshard.cache;

import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.TenantId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** At most one read of a tenant at a time; whoever comes meanwhile waits for its answer. */
final class SingleFlight<T> {
    private final ConcurrentMap<TenantId, CompletableFuture<T>> flights = new ConcurrentHashMap<>();

    T load(TenantId tenant, Supplier<T> read) {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> other = flights.putIfAbsent(tenant, mine);
        return other == null ? fly(tenant, mine, read) : join(other);
    }

    /** Whoever comes after this call does not join a read that began before it. */
    void abandon(TenantId tenant) {
        flights.remove(tenant);
    }

    /** The same for all tenants. */
    void abandonAll() {
        flights.clear();
    }

    private T fly(TenantId tenant, CompletableFuture<T> mine, Supplier<T> read) {
        try {
            T answer = read.get();
            mine.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            flights.remove(tenant, mine);
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
