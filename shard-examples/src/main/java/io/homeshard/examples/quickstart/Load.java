package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.examples.academy.Checkout;
import io.homeshard.examples.academy.Courses;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.ShardId;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checkouts from several threads until it is stopped. A refused one is run again whole, in a new scope, after a pause in
 * which its thread works for other companies: a company that waits keeps no other one waiting.
 */
final class Load implements AutoCloseable {
    private static final int THREADS = 8;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Homeshard homeshard;
    private final Checkout checkout;
    private final Companies companies;
    private final ClientLog log;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    Load(Homeshard homeshard, Checkout checkout, Companies companies, ClientLog log) {
        this.homeshard = homeshard;
        this.checkout = checkout;
        this.companies = companies;
        this.log = log;
    }

    void start(long seed) {
        // not the seed itself: the loader's order ids come from it, and the two must not meet
        SplittableRandom seeds = new SplittableRandom(~seed);
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = seeds.split();
            Thread thread = new Thread(() -> run(random), "checkout-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /**
     * A checkout to be placed.
     *
     * @param company for whom
     * @param order its id
     * @param course index of the course
     * @param begun monotonic nanoseconds of the first attempt
     * @param due monotonic nanoseconds before which it is not tried
     */
    private record Wanted(Company company, UUID order, int course, long begun, long due) {
        Wanted later() {
            return new Wanted(company, order, course, begun, System.nanoTime() + PAUSE_NANOS);
        }
    }

    private void run(SplittableRandom random) {
        Wanted refused = null;
        while (running) {
            long now = System.nanoTime();
            Company company = companies.pick(random);
            if (refused != null && now - refused.due() >= 0) {
                refused = tried(refused);
            } else if (refused == null || !refused.company().equals(company)) {
                UUID order = new UUID(random.nextLong(), random.nextLong());
                Wanted later = tried(new Wanted(company, order, random.nextInt(Courses.NAMES.size()), now, now));
                refused = later == null ? refused : later;
            }
        }
    }

    /** Places it; returns what is to be tried later, or null. */
    private @Nullable Wanted tried(Wanted wanted) {
        Company company = wanted.company();
        try {
            ShardId shard = homeshard.call(company.id(), () -> {
                checkout.place(company.id().value(), wanted.order(), wanted.course());
                return homeshard.router().route().shard();
            });
            log.acknowledged(new Acknowledged(wanted.order(), company.id(), shard, wanted.begun(), System.nanoTime()));
        } catch (TenantFrozenException | StaleRouteException e) {
            // surely not committed, so the same order may be placed again
            log.retried();
            return wanted.later();
        } catch (OutcomeUnknownException e) {
            log.inDoubt(wanted.order());
        } catch (Exception e) {
            log.failed(company.id(), e);
        }
        return null;
    }

    @Override
    public void close() throws InterruptedException {
        running = false;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " did not end within 30 s");
            }
        }
    }
}
