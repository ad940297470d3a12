package io.homeshard.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.Route;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.observe.ShardListener;
import io.homeshard.testing.FakeClocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlacementCacheTest {
    private static final TenantId ACME = TenantId.of("acme");
    private static final ShardId S1 = ShardId.of("s1");

    private final FakeDirectory directory = new FakeDirectory();
    private final FakeClocks clocks = new FakeClocks();
    private final List<Long> changes = new ArrayList<>();
    private final PlacementCache cache =
            PlacementCache.over(directory, CacheConfig.defaults(), clocks, new ShardListener() {
                @Override
                public void placementChanged(TenantId tenant, long mapVersion) {
                    changes.add(mapVersion);
                }
            });

    @Test
    void aHitAsksNobodyAndAnOldEntryIsReadAgain() {
        has(at(1, 10));
        Optional<Placement> first = cache.find(ACME);
        assertThat(first).contains(at(1, 10));
        assertThat(cache.find(ACME)).as("a hit allocates nothing").isSameAs(first);
        assertThat(directory.reads).hasValue(1);
        clocks.tick(Duration.ofSeconds(30));
        cache.find(ACME);
        assertThat(directory.reads).hasValue(2);
    }

    @Test
    void manyThreadsShareOneRead() throws Exception {
        has(at(1, 10));
        int threads = 64;
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        directory.beforeAnswer = () -> {
            asked.countDown();
            await(answer);
        };
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Optional<Placement>>> found = new ArrayList<>();
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                found.add(pool.submit(() -> {
                    synchronized (running) {
                        running.add(Thread.currentThread());
                    }
                    start.await();
                    return cache.find(ACME);
                }));
            }
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            // the reader and 63 that wait for it
            awaitWaiting(running, threads);
            answer.countDown();
            for (Future<Optional<Placement>> one : found) {
                assertThat(one.get(10, TimeUnit.SECONDS)).contains(at(1, 10));
            }
            assertThat(directory.reads).hasValue(1);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void unknownIsRememberedForAMomentAndNewsEndIt() {
        assertThat(cache.find(ACME)).isEmpty();
        assertThat(cache.find(ACME)).isEmpty();
        assertThat(directory.reads).hasValue(1);
        has(at(1, 10));
        clocks.tick(Duration.ofSeconds(1));
        assertThat(cache.find(ACME)).contains(at(1, 10));

        TenantId other = TenantId.of("other");
        assertThat(cache.find(other)).isEmpty();
        Placement news = new Placement(other, S1, 1, PlacementState.ACTIVE, 11);
        cache.accept(news);
        assertThat(cache.find(other)).contains(news);
    }

    @Test
    void lateNewsThatATenantIsBeingCreatedDoNotHideThatItIsInService() {
        has(at(1, 11));
        cache.refresh(ACME); // what its creator's own instance does, before the news of the beginning arrive
        cache.accept(new Placement(ACME, S1, 1, PlacementState.PROVISIONING, 10));
        assertThat(cache.find(ACME)).contains(at(1, 11));
    }

    @Test
    void aLowerVersionNeverReplacesAHigherOne() {
        cache.accept(at(3, 30));
        cache.accept(at(2, 20));
        assertThat(cache.known(ACME)).contains(at(3, 30));
        has(at(2, 20));
        clocks.tick(Duration.ofMinutes(1));
        assertThat(cache.find(ACME)).as("a read from a lagging replica").contains(at(3, 30));
        cache.removed(ACME, 25);
        assertThat(cache.known(ACME)).contains(at(3, 30));
        cache.removed(ACME, 31);
        assertThat(cache.known(ACME)).isEmpty();
        cache.accept(at(3, 30));
        assertThat(cache.find(ACME)).as("news from before the removal").isEmpty();
        cache.accept(at(4, 40));
        assertThat(cache.find(ACME)).contains(at(4, 40));
        assertThat(changes).containsExactly(31L);
    }

    @Test
    void aReadThatBeganBeforeTheNewsDoesNotUndoThem() {
        has(at(1, 10));
        directory.beforeAnswer = () -> cache.accept(at(2, 20));
        assertThat(cache.find(ACME)).contains(at(2, 20));

        TenantId fresh = TenantId.of("fresh");
        Placement news = new Placement(fresh, S1, 1, PlacementState.ACTIVE, 21);
        directory.beforeAnswer = () -> cache.accept(news);
        assertThat(cache.find(fresh))
                .as("unknown was read, then it was created")
                .contains(news);
    }

    @Test
    void aRefusedRouteIsReadAgainAndNotUsedMeanwhile() {
        has(at(1, 10));
        cache.find(ACME);
        cache.forget(new Route(ACME, S1, 1));
        directory.down = true;
        assertThatThrownBy(() -> cache.find(ACME)).isInstanceOf(DirectoryUnavailableException.class);
        directory.down = false;
        has(at(2, 20));
        assertThat(cache.find(ACME)).contains(at(2, 20));
        cache.forget(new Route(ACME, S1, 1));
        int reads = directory.reads.get();
        cache.find(ACME);
        assertThat(directory.reads)
                .as("an older route says nothing of a newer entry")
                .hasValue(reads);
    }

    @Test
    void aReadThatBeganBeforeTheRefusalDoesNotLiftIt() {
        has(at(1, 10));
        directory.beforeAnswer = () -> {
            directory.beforeAnswer = () -> {};
            cache.accept(at(1, 10));
            cache.forget(new Route(ACME, S1, 1));
        };
        cache.find(ACME);
        has(at(2, 20));
        assertThat(cache.find(ACME)).contains(at(2, 20));
    }

    @Test
    void whileTheDirectoryIsDownEntriesLiveOnForABoundedTime() {
        has(at(1, 10));
        cache.find(ACME);
        directory.down = true;
        clocks.tick(Duration.ofMinutes(14));
        assertThat(cache.find(ACME)).contains(at(1, 10));
        int reads = directory.reads.get();
        assertThat(cache.find(ACME)).contains(at(1, 10));
        assertThat(directory.reads).as("not asked again at once").hasValue(reads);
        assertThatThrownBy(() -> cache.find(TenantId.of("other")))
                .as("down is never answered with unknown")
                .isInstanceOf(DirectoryUnavailableException.class);
        clocks.tick(Duration.ofMinutes(2));
        assertThatThrownBy(() -> cache.find(ACME)).isInstanceOf(DirectoryUnavailableException.class);
    }

    @Test
    void anUnsettledPlacementIsBelievedForAMomentOnly() {
        has(new Placement(ACME, S1, 1, PlacementState.PROVISIONING, 10));
        assertThat(cache.find(ACME)).isPresent();
        has(at(1, 11));
        clocks.tick(Duration.ofSeconds(1));
        assertThat(cache.find(ACME)).contains(at(1, 11));
    }

    @Test
    void aDirectoryThatWentBackInTimeIsBelieved() {
        cache.accept(at(9, 90));
        has(at(8, 80));
        cache.reset();
        assertThat(cache.find(ACME)).contains(at(8, 80));
    }

    @Test
    void shardsAreReadTogetherAndAgainAfterAWhile() {
        directory.shards.put(S1, Shard.of("s1", "jdbc:postgresql://db/a"));
        assertThat(cache.shard(S1)).isPresent();
        assertThat(cache.shard(S1)).isPresent();
        assertThat(directory.shardReads).hasValue(1);
        Shard active = new Shard(S1, 1, "jdbc:postgresql://db/b", null, 100, ShardStatus.ACTIVE, false, 2);
        directory.shards.put(S1, active);
        clocks.tick(Duration.ofSeconds(5));
        assertThat(cache.shard(S1)).contains(active);
        directory.down = true;
        clocks.tick(Duration.ofMinutes(30));
        assertThat(cache.shard(S1)).as("addresses outlive the directory").contains(active);
    }

    @Test
    void aRefreshDuringAnOutageLeavesTheOldShardsInUse() {
        directory.shards.put(S1, Shard.of("s1", "jdbc:postgresql://db/a"));
        assertThat(cache.shard(S1)).isPresent();
        directory.down = true;
        cache.refreshShards();
        assertThat(cache.shard(S1)).isPresent();
        assertThat(cache.shard(S1)).isPresent();
        assertThat(directory.shardReads).as("tried once").hasValue(2);
        directory.down = false;
        Shard later = Shard.of("s1", "jdbc:postgresql://db/b");
        directory.shards.put(S1, later);
        clocks.tick(Duration.ofSeconds(5));
        assertThat(cache.shard(S1)).contains(later);
    }

    @Test
    void aRefreshOfTheShardsIsNotLostToAReadThatBeganBeforeIt() {
        directory.shards.put(S1, Shard.of("s1", "jdbc:postgresql://db/a"));
        Shard later = Shard.of("s1", "jdbc:postgresql://db/b");
        directory.beforeShards = () -> {
            directory.beforeShards = () -> {};
            directory.shards.put(S1, later);
            cache.refreshShards();
        };
        cache.shard(S1);
        assertThat(cache.shard(S1)).contains(later);
        assertThat(directory.shardReads).hasValue(2);
    }

    @Test
    void manyThreadsShareOneReadOfTheShards() throws Exception {
        directory.shards.put(S1, Shard.of("s1", "jdbc:postgresql://db/a"));
        cache.shard(S1);
        cache.refreshShards();
        CountDownLatch answer = new CountDownLatch(1);
        directory.beforeShards = () -> await(answer);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            threads.add(new Thread(() -> cache.shard(S1)));
        }
        threads.forEach(Thread::start);
        awaitWaiting(threads, 16);
        answer.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(directory.shardReads).hasValue(2);
    }

    @Test
    void aFrozenRouteIsReadAgainAndUsedWhileTheDirectoryIsDown() {
        has(at(1, 10));
        cache.find(ACME);
        cache.doubt(new Route(ACME, S1, 1));
        directory.down = true;
        assertThat(cache.find(ACME)).contains(at(1, 10));
        directory.down = false;
        clocks.tick(Duration.ofSeconds(2));
        has(at(2, 20));
        assertThat(cache.find(ACME)).contains(at(2, 20));
        int reads = directory.reads.get();
        cache.doubt(new Route(ACME, S1, 1));
        cache.find(ACME);
        assertThat(directory.reads)
                .as("an older route says nothing of a newer entry")
                .hasValue(reads);
    }

    private static void awaitWaiting(List<Thread> threads, int count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            synchronized (threads) {
                long waiting = threads.stream()
                        .filter(thread -> thread.getState() == Thread.State.WAITING)
                        .count();
                if (waiting == count) {
                    return;
                }
            }
            assertThat(System.nanoTime()).as("threads wait for the one read").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void has(Placement placement) {
        directory.placements.put(placement.tenant(), placement);
    }

    private static Placement at(long generation, long version) {
        return new Placement(ACME, S1, generation, PlacementState.ACTIVE, version);
    }
}
