package io.homeshard.migrate.move;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks both shards at the same time: the tenant is frozen meanwhile. The source is asked in a thread of its own. When
 * one side fails the other is broken off, and both connections are of no further use.
 *
 * @param source the source
 * @param target the target
 */
record BothShards(Connection source, Connection target) {
    /** What a shard is asked. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Connection shard) throws SQLException;
    }

    /** The answers. */
    record Answers<S, T>(S source, T target) {}

    <S, T> Answers<S, T> ask(Question<S> ofSource, Question<T> ofTarget) throws SQLException {
        AtomicReference<@Nullable Exception> first = new AtomicReference<>();
        FutureTask<S> beside = new FutureTask<>(() -> guarded(ofSource, source, target, first));
        Thread thread = new Thread(beside, "homeshard-verify");
        thread.setDaemon(true);
        thread.start();
        try {
            T here = guarded(ofTarget, target, source, first);
            return new Answers<>(await(beside), here);
        } catch (SQLException | RuntimeException e) {
            quietly(beside, e);
            rethrow(first.get());
            throw e;
        }
    }

    private static <R> R guarded(
            Question<R> question, Connection shard, Connection other, AtomicReference<@Nullable Exception> first)
            throws SQLException {
        try {
            return question.ask(shard);
        } catch (SQLException | RuntimeException e) {
            if (first.compareAndSet(null, e)) {
                other.abort(Runnable::run);
            }
            throw e;
        }
    }

    private <S> S await(FutureTask<S> beside) throws SQLException {
        try {
            return beside.get();
        } catch (InterruptedException e) {
            source.abort(Runnable::run);
            Thread.currentThread().interrupt();
            throw new MoveStopped("mover was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw sql;
            }
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Nobody may use the connections of this move any more once the caller has its exception. */
    private void quietly(FutureTask<?> beside, Exception failure) {
        try {
            await(beside);
        } catch (SQLException | RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }

    /** The other side's failure may be but an echo of the first. */
    private static void rethrow(@Nullable Exception first) throws SQLException {
        if (first instanceof SQLException sql) {
            throw sql;
        }
        if (first instanceof RuntimeException runtime) {
            throw runtime;
        }
    }
}
