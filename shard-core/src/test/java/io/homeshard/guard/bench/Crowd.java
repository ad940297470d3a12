package io.homeshard.guard.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of one database that work at the same time. */
final class Crowd implements AutoCloseable {
    private final Contender contender;
    private final Connection owner;
    private final String database;
    private final List<Client> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private Crowd(Contender contender, Connection owner, String database) {
        this.contender = contender;
        this.owner = owner;
        this.database = database;
    }

    static Crowd open(Shop shop, Contender contender, int size, String parameters) throws SQLException {
        String database = shop.database(contender);
        Crowd crowd = new Crowd(contender, shop.server().owner(database), database);
        for (int i = 1; i <= size; i++) {
            crowd.clients.add(new Client(shop.application(database, parameters), contender.entry(), new Keys(i)));
        }
        return crowd;
    }

    Contender contender() {
        return contender;
    }

    String database() {
        return database;
    }

    /** From now on all write for so many tenants, and each has written for each of them. */
    void among(int tenants) throws SQLException {
        all(clients.size(), client -> {
            client.among(tenants);
            return tenants;
        });
    }

    /** CPU time of the backends of all clients so far, in nanoseconds. */
    long cpuNanos() {
        return clients.stream()
                .mapToLong(client -> Processors.cpuNanos(client.backend()))
                .sum();
    }

    /** Runs the same with each of the first so many clients in a thread of its own, all from the same moment on. */
    <T> List<T> all(int count, Work<T> work) throws SQLException {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<T>> results = new ArrayList<>();
        for (Client client : clients.subList(0, count)) {
            Callable<T> task = () -> {
                start.await(1, TimeUnit.MINUTES);
                return work.with(client);
            };
            results.add(threads.submit(task));
        }
        List<T> all = new ArrayList<>();
        for (Future<T> result : results) {
            all.add(get(result));
        }
        return all;
    }

    /**
     * What a client does.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface Work<T> {
        T with(Client client) throws SQLException;
    }

    private static <T> T get(Future<T> result) throws SQLException {
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        } catch (ExecutionException e) {
            throw new SQLException("a client failed", e);
        }
    }

    Connection owner() {
        return owner;
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Client client : clients) {
            client.close();
        }
        owner.close();
    }
}
