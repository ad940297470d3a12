package io.homeshard.guard.pooler;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of a pooler against a mover that freezes one of their tenants after the other. One thread is the mover. */
final class PoolingStress implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final int TENANTS = 4;
    private static final long TOO_LONG = 30;

    private final PooledShard shard;
    private final Random random;
    private final List<String> tenants = new ArrayList<>();
    private final List<StressClient> clients = new ArrayList<>();
    private final List<Future<?>> ends = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private int freezes;
    private int busy;

    PoolingStress(PooledShard shard, PgBouncer bouncer, long seed) throws SQLException {
        this.shard = shard;
        this.random = new Random(seed);
        for (int i = 0; i < TENANTS; i++) {
            tenants.add(shard.owned());
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new StressClient(bouncer.client(), List.copyOf(tenants), i + 1, new Random(random.nextLong())));
        }
    }

    /**
     * Plays that many rounds and lets the clients end.
     *
     * @return what was lost, doubled, resurrected or written in spite of a freeze; empty when all is well
     */
    List<String> play(int rounds) throws Exception {
        clients.forEach(client -> ends.add(threads.submit(client)));
        try {
            for (int i = 0; i < rounds; i++) {
                round();
            }
        } finally {
            clients.forEach(StressClient::stop);
        }
        for (Future<?> end : ends) {
            end.get(TOO_LONG, TimeUnit.SECONDS);
        }
        for (String tenant : tenants) {
            compare("at the end", tenant);
        }
        clients.forEach(client -> violations.addAll(client.violations()));
        return violations;
    }

    /** Freezes a tenant and looks at it twice; in between another tenant is frozen and thawed in half of the rounds. */
    private void round() throws SQLException, InterruptedException {
        String tenant = tenants.get(random.nextInt(TENANTS));
        freeze(tenant);
        List<String> first = shard.rows(tenant);
        if (random.nextBoolean()) {
            String other = tenants.get((tenants.indexOf(tenant) + 1 + random.nextInt(TENANTS - 1)) % TENANTS);
            freeze(other);
            shard.thaw(other);
        }
        awaitNext();
        compare("while frozen", tenant);
        if (!first.equals(shard.rows(tenant))) {
            violations.add("two snapshots of a frozen tenant differ");
        }
        shard.thaw(tenant);
        StressClient any = clients.get(random.nextInt(CLIENTS));
        any.awaitEnded(any.begun() + random.nextInt(2));
    }

    /** Waits until what the clients do now has ended, and one attempt more. */
    private void awaitNext() throws InterruptedException {
        int[] next = clients.stream().mapToInt(client -> client.begun() + 1).toArray();
        for (int i = 0; i < next.length; i++) {
            clients.get(i).awaitEnded(next[i]);
        }
    }

    private void freeze(String tenant) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TOO_LONG);
        while (!shard.freezes(tenant, Duration.ofMillis(1 + random.nextInt(40)))) {
            busy++;
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("tenant is never free");
            }
        }
        freezes++;
    }

    private void compare(String when, String tenant) throws SQLException {
        List<String> expected = StressState.rowsOf(
                tenant, clients.stream().map(StressClient::acknowledged).toList());
        List<String> actual = shard.rows(tenant);
        if (!actual.equals(expected)) {
            List<String> lost = new ArrayList<>(expected);
            actual.forEach(lost::remove);
            List<String> surplus = new ArrayList<>(actual);
            expected.forEach(surplus::remove);
            violations.add(when + " lost " + lost + ", surplus " + surplus);
        }
    }

    int freezes() {
        return freezes;
    }

    int refused() {
        return clients.stream().mapToInt(StressClient::refused).sum();
    }

    int acknowledged() {
        return clients.stream().mapToInt(StressClient::ended).sum() - refused();
    }

    @Override
    public String toString() {
        return "freezes=" + freezes + " busy=" + busy + " acknowledged=" + acknowledged() + " refused=" + refused();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
