package io.homeshard.examples.quickstart;

import io.homeshard.Homeshard;
import io.homeshard.examples.academy.Checkout;
import io.homeshard.examples.academy.Courses;
import io.homeshard.model.HomeshardException;
import io.homeshard.model.OutcomeUnknownException;
import io.homeshard.model.ShardId;
import io.homeshard.model.StaleRouteException;
import io.homeshard.model.TenantFrozenException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Checkouts from several threads until it is stopped. A refused one is run again whole, in a new scope. */
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
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = seeds.split();
            Thread thread = new Thread(() -> run(random), "checkout-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(SplittableRandom random) {
        while (running) {
            Company company = companies.pick(random);
            UUID order = new UUID(random.nextLong(), random.nextLong());
            try {
                place(company, order, random.nextInt(Courses.NAMES.size()));
            } catch (OutcomeUnknownException e) {
                log.inDoubt(order);
            } catch (HomeshardException | IllegalStateException e) {
                log.failed(company.id(), e);
            } catch (Exception e) {
                log.failed(company.id(), e);
            }
        }
    }

    private void place(Company company, UUID order, int course) throws Exception {
        long begun = System.nanoTime();
        while (true) {
            try {
                ShardId shard = homeshard.call(company.id(), () -> {
                    checkout.place(company.id().value(), order, course);
                    return homeshard.router().route().shard();
                });
                log.acknowledged(new Acknowledged(order, company.id(), shard, begun, System.nanoTime()));
                return;
            } catch (TenantFrozenException | StaleRouteException e) {
                // surely not committed, so the same order may be placed again
                log.retried();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
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
