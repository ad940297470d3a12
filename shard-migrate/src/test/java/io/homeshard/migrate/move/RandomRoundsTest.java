package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.Homeshard;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.move.RoundsLedger.Outcome;
import io.homeshard.migrate.move.RoundsLedger.Verdict;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.test.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tenant moves to and fro while writers in every manner write for it, through routers and past them, on the right
 * shard and on the wrong one; some moves are cancelled, some are cleaned before the tenant comes back. Seed: {@code
 * homeshard.test.seed}.
 */
class RandomRoundsTest {
    private static final int ROUNDS = Integer.getInteger("homeshard.test.move.rounds", 12);
    private static final int LONG_ROUNDS = Integer.getInteger("homeshard.test.move.rounds.long", 300);
    private static final int WRITERS = 5;
    private static final MoveConfig CONFIG =
            MoveLab.CONFIG.freeze(MoveLab.CONFIG.freeze().backoff(Duration.ofMillis(30)));
    private static final TenantId TENANT = TenantId.of("acme");
    /** Everything that the tenant has on a shard. */
    private static final String ALL = """
            SELECT concat_ws(' ', (SELECT count(*) || ':' || coalesce(sum(hashtextextended(x::text, 0)), 0) FROM app.entries x WHERE tenant_id = ?),
              (SELECT count(*) || ':' || coalesce(sum(hashtextextended(x::text, 0)), 0) FROM app.log x WHERE tenant_id = ?),
              (SELECT n FROM app.counter WHERE tenant_id = ?))
            """;

    /** A move that gets slower by its rows must not get more of them for that: 300 rounds would never end. */
    private static final int WRITES_PER_PHASE = 25;

    private volatile MovePhase phase = MovePhase.RETAINED;
    private volatile long allowed = WRITES_PER_PHASE;
    private int moved;
    private int cancelled;
    private int cleaned;
    private int outside;

    @Test
    void d43_someRounds() throws Exception {
        rounds(ROUNDS);
    }

    @Test
    @Tag("long")
    void d43_threeHundredRounds() throws Exception {
        rounds(LONG_ROUNDS);
    }

    private void rounds(int rounds) throws Exception {
        long seed = Long.getLong("homeshard.test.seed", System.nanoTime());
        try (MoveLab lab = MoveLab.with(2, RoundsLedger.TABLES, RoundsLedger.DDL);
                Homeshard router = router(lab)) {
            lab.tenant(TENANT, lab.shard(1));
            lab.run(lab.shard(1), "INSERT INTO app.counter VALUES (?, 0)", TENANT.value());
            RoundsLedger ledger = new RoundsLedger(TENANT);
            AtomicInteger straddled = new AtomicInteger();
            RoundsWriter.Run run = new RoundsWriter.Run(lab, router, ledger, () -> phase, straddled);
            race(run, rounds, seed);

            ShardId owner = lab.placement(TENANT).shard();
            Verdict verdict = ledger.judge(lab, owner);
            System.out.printf(
                    "random rounds: seed=%d rounds=%d moved=%d cancelled=%d cleaned=%d acknowledged=%d refused=%d unknown=%d"
                            + " straddling=%d %s outside=%d server=%s%n",
                    seed,
                    rounds,
                    moved,
                    cancelled,
                    cleaned,
                    ledger.acknowledged(),
                    ledger.count(Outcome.REFUSED),
                    ledger.count(Outcome.UNKNOWN),
                    straddled.get(),
                    verdict,
                    outside,
                    lab.query(owner, "SHOW server_version").get(0));
            assertThat(verdict.clean()).as("seed %s: %s", seed, verdict.which()).isTrue();
            assertThat(outside).as("seed %s: old rows changed", seed).isZero();
            assertThat(moved + cancelled).isEqualTo(rounds);
            assertThat(ledger.count(Outcome.REFUSED))
                    .as("writers met the mover")
                    .isPositive();
            assertThat(ledger.acknowledged()).isGreaterThan(rounds * 5L);
            assertThat(straddled.get()).as("transactions open at a freeze").isPositive();
            noStrays(lab, owner);
        }
    }

    private static Homeshard router(MoveLab lab) {
        Database any = lab.cluster.directory();
        return Homeshard.builder()
                .directory(lab.directoryDataSource)
                .credentials(shard -> new ShardCredentials(any.user(), any.password()))
                .tables(RoundsLedger.TABLES)
                .build();
    }

    private void race(RoundsWriter.Run run, int rounds, long seed) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        try {
            for (int i = 0; i < WRITERS; i++) {
                RoundsWriter writer = new RoundsWriter(run, i, seed + i);
                writers.add(CompletableFuture.runAsync(() -> writeUntil(over, run.ledger(), writer), threads));
            }
            Random random = new Random(seed);
            for (int i = 0; i < rounds; i++) {
                round(run, random);
                long before = run.ledger().acknowledged();
                allowMore(run.ledger());
                MoveLab.await(() -> run.ledger().acknowledged() > before + 5
                        || writers.stream().anyMatch(CompletableFuture::isDone));
            }
        } finally {
            over.set(true);
            for (CompletableFuture<Void> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
            threads.shutdown();
        }
    }

    private void allowMore(RoundsLedger ledger) {
        allowed = ledger.acknowledged() + WRITES_PER_PHASE;
    }

    private void writeUntil(AtomicBoolean over, RoundsLedger ledger, RoundsWriter writer) {
        try {
            while (!over.get()) {
                if (ledger.acknowledged() < allowed) {
                    writer.round();
                } else {
                    LockSupport.parkNanos(500_000);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void round(RoundsWriter.Run run, Random random) {
        MoveLab lab = run.lab();
        ShardId home = lab.placement(TENANT).shard();
        ShardId away = lab.shard(home.equals(lab.shard(1)) ? 2 : 1);
        MoveEngine engine = lab.engine(CONFIG);
        MovePhase cancelAt =
                random.nextInt(5) == 0 ? MovePhase.values()[random.nextInt(MovePhase.FLIPPED.ordinal())] : null;
        MovePlan plan = engine.plan(TENANT, away);
        try {
            MoveReport report = engine.execute(plan, listener(engine, run.ledger(), cancelAt));
            moved++;
            assertThat(lab.owners(TENANT)).containsExactly(away);
            oldRowsStay(run, home);
            if (random.nextInt(4) == 0) {
                engine.clean(report.move(), true);
                cleaned++;
            }
        } catch (MoveException e) {
            if (cancelAt == null || lab.journal.find(plan.move()).orElseThrow().phase() != MovePhase.ABORTED) {
                throw e;
            }
            cancelled++;
            assertThat(lab.owners(TENANT)).containsExactly(home);
        } finally {
            phase = MovePhase.RETAINED;
        }
    }

    private MoveListener listener(MoveEngine engine, RoundsLedger ledger, @Nullable MovePhase cancelAt) {
        return new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                phase = move.phase();
                allowMore(ledger);
                if (move.phase() == cancelAt) {
                    engine.cancel(move.id(), "by chance");
                }
            }
        };
    }

    /** For as long as it takes that others have written, nothing changes where the tenant does not live any more. */
    private void oldRowsStay(RoundsWriter.Run run, ShardId old) {
        MoveLab lab = run.lab();
        String t = TENANT.value();
        List<String> before = lab.query(old, ALL, t, t, t);
        ShardId home = lab.placement(TENANT).shard();
        List<String> there = lab.query(home, ALL, t, t, t);
        allowMore(run.ledger());
        MoveLab.await(() -> !lab.query(home, ALL, t, t, t).equals(there));
        if (!lab.query(old, ALL, t, t, t).equals(before)) {
            outside++;
        }
    }

    private static void noStrays(MoveLab lab, ShardId owner) {
        MoveEngine engine = lab.engine();
        for (MoveRecord move : lab.journal.retained()) {
            if (!move.superseded()) {
                assertThat(engine.clean(move.id(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
            }
        }
        ShardId other = lab.shard(owner.equals(lab.shard(1)) ? 2 : 1);
        assertThat(lab.query(other, ALL, TENANT.value(), TENANT.value(), TENANT.value()))
                .as("rows on the shard that does not own")
                .containsExactly("0:0 0:0");
    }
}
