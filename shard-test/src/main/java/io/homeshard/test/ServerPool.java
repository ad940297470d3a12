package io.homeshard.test;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The servers of one JVM: those that are shared by all and those that are lent. */
final class ServerPool {
    private static final AtomicInteger STARTERS = new AtomicInteger();

    /** A thread for each start: starting is waiting for another process. */
    private static final Executor STARTER = task -> {
        Thread thread = new Thread(task, "homeshard-test-start-" + STARTERS.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
    };

    private final ServerSource source;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock; empty until the first use. */
    private List<PostgresServer> shared = List.of();

    /** Guarded by the lock. */
    private final Deque<PostgresServer> idle = new ArrayDeque<>();

    ServerPool(ServerSource source) {
        this.source = source;
    }

    static ServerPool ofThisJvm() {
        return Holder.POOL;
    }

    List<PostgresServer> shared() {
        lock.lock();
        try {
            if (shared.isEmpty()) {
                shared = start(source.sharedServers(), true);
            }
            return shared;
        } finally {
            lock.unlock();
        }
    }

    List<PostgresServer> lease(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be >= 1, was " + count);
        }
        List<PostgresServer> lent = new ArrayList<>();
        lock.lock();
        try {
            while (lent.size() < count && !idle.isEmpty()) {
                lent.add(idle.pop());
            }
        } finally {
            lock.unlock();
        }
        try {
            lent.addAll(start(count - lent.size(), false));
        } catch (RuntimeException e) {
            release(lent);
            throw e;
        }
        return List.copyOf(lent);
    }

    void release(Collection<PostgresServer> servers) {
        lock.lock();
        try {
            idle.addAll(servers);
        } finally {
            lock.unlock();
        }
    }

    private List<PostgresServer> start(int count, boolean forAll) {
        List<CompletableFuture<PostgresServer>> starting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            starting.add(CompletableFuture.supplyAsync(() -> source.next(forAll), STARTER));
        }
        try {
            return starting.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static final class Holder {
        static final ServerPool POOL = new ServerPool(source());

        private static ServerSource source() {
            String mode = System.getProperty(PostgresServers.MODE, "embedded");
            return switch (mode) {
                case "embedded" -> EmbeddedServers.open(root());
                case "testcontainers", "external" -> throw new UnsupportedOperationException("not yet: " + mode);
                default ->
                    throw new IllegalArgumentException(PostgresServers.MODE
                            + " must be one of embedded, testcontainers and external, was " + mode);
            };
        }

        private static Path root() {
            String folder = System.getProperty("homeshard.test.dir", "");
            return folder.isEmpty()
                    ? Path.of(System.getProperty("java.io.tmpdir"), "homeshard-test")
                            .toAbsolutePath()
                    : Path.of(folder).toAbsolutePath();
        }
    }
}
