package io.homeshard.guard.bench;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;

/** Tenants and numbers of one client; two with the same seed give the same. Not thread-safe. */
final class Keys {
    private static final long RANGE = 1_000_000_000L;

    private final Random random;
    private final Queue<Key> orders = new ArrayDeque<>();
    private long id;
    private int tenants = 1;

    /**
     * A row.
     *
     * @param tenant whose it is
     * @param id its number
     */
    record Key(String tenant, long id) {}

    Keys(int client) {
        this.random = new Random(client);
        this.id = client * RANGE;
    }

    /** From now on among so many tenants. */
    void among(int count) {
        tenants = count;
        orders.clear();
    }

    int tenants() {
        return tenants;
    }

    Key next() {
        return new Key(tenant(tenants == 1 ? 0 : random.nextInt(tenants)), ++id);
    }

    /** The name of a tenant, from 0. */
    static String tenant(int index) {
        return String.format(Locale.ROOT, "t%04d", index + 1);
    }

    /** A row that was written. */
    void written(Key order) {
        orders.add(order);
    }

    /** Whether there is a row to delete. */
    boolean hasWritten() {
        return !orders.isEmpty();
    }

    /** A row that is there, to be deleted. */
    Key written() {
        return orders.remove();
    }
}
