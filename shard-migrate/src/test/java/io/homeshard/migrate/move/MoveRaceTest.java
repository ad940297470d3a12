package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** [D43] A tenant moves to and fro while writers in every manner write for it, on the right shard and on the wrong one. */
class MoveRaceTest {
    private static final int MOVES = Integer.getInteger("homeshard.test.move.rounds", 20);
    private static final int WRITERS = 4;
    /** Comes back soon, since here a freeze that is held up is the rule. */
    private static final MoveConfig CONFIG =
            MoveLab.CONFIG.freeze(MoveLab.CONFIG.freeze().backoff(Duration.ofMillis(100)));

    private static final TenantId TENANT = TenantId.of("acme");

    @Test
    void nothingIsLostOrDoubledWhileTheTenantMovesToAndFro() throws Exception {
        long seed = Long.getLong("homeshard.test.seed", 20_240_607L);
        try (MoveLab lab = MoveLab.with(2, Ledger.TABLES, Ledger.DDL)) {
            lab.tenant(TENANT, lab.shard(1));
            lab.run(lab.shard(1), "INSERT INTO app.counter VALUES (?, 0)", TENANT.value());
            Ledger ledger = new Ledger(lab, TENANT);
            List<MoveReport> reports = race(lab, ledger, seed);

            ShardId owner = lab.placement(TENANT).shard();
            assertThat(lab.owners(TENANT)).containsExactly(owner);
            List<String> found = lab.query(owner, "SELECT id FROM app.entries WHERE tenant_id = ?", TENANT.value());
            Set<String> lost = new HashSet<>(ledger.acknowledged);
            found.forEach(lost::remove);
            Set<String> never = new HashSet<>(found);
            never.removeAll(new HashSet<>(ledger.acknowledged));
            long counter = lab.count(owner, "SELECT n FROM app.counter WHERE tenant_id = ?", TENANT.value());
            System.out.printf(
                    "move race: seed=%d moves=%d writer_rounds=%d straddling=%d refused=%d acknowledged=%d lost=%d unacknowledged=%d"
                            + " counter_off=%d freeze_ms_max=%d%n",
                    seed,
                    reports.size(),
                    ledger.rounds.get(),
                    ledger.straddled.get(),
                    ledger.refused.get(),
                    ledger.acknowledged.size(),
                    lost.size(),
                    never.size(),
                    counter - ledger.increments.get(),
                    reports.stream()
                            .mapToLong(r -> r.freezeMillis() == null ? 0 : r.freezeMillis())
                            .max()
                            .orElse(0));
            assertThat(lost).as("acknowledged and not there").isEmpty();
            assertThat(never).as("refused and there all the same").isEmpty();
            assertThat(counter).as("increments").isEqualTo(ledger.increments.get());
            assertThat(ledger.refused).as("writers met the mover").hasPositiveValue();
            assertThat(ledger.straddled.get())
                    .as("transactions open at a freeze")
                    .isGreaterThan(MOVES / 2);
            assertThat(ledger.rounds.get()).isGreaterThan(200);
            cleanAndLookForStrays(lab, reports.get(reports.size() - 1), owner);
        }
    }

    private static List<MoveReport> race(MoveLab lab, Ledger ledger, long seed) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<MoveReport> reports = new ArrayList<>();
        MoveEngine engine = lab.engine(CONFIG);
        try {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(seed + i);
                writers.add(CompletableFuture.runAsync(() -> writeUntil(over, ledger, random), threads));
            }
            for (int i = 0; i < MOVES; i++) {
                int before = ledger.acknowledged.size();
                MovePlan plan = engine.plan(TENANT, lab.shard(i % 2 == 0 ? 2 : 1));
                reports.add(engine.execute(plan, new MoveListener() {
                    @Override
                    public void phase(MoveRecord move) {
                        ledger.phase(move.phase());
                    }
                }));
                MoveLab.await(() -> ledger.acknowledged.size() > before + 5
                        || writers.stream().anyMatch(CompletableFuture::isDone));
            }
            over.set(true);
            for (CompletableFuture<Void> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
        return reports;
    }

    private static void writeUntil(AtomicBoolean over, Ledger ledger, Random random) {
        try {
            while (!over.get()) {
                ledger.round(random);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void cleanAndLookForStrays(MoveLab lab, MoveReport last, ShardId owner) {
        assertThat(lab.engine().clean(last.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        ShardId old = owner.equals(lab.shard(1)) ? lab.shard(2) : lab.shard(1);
        assertThat(lab.count(old, "SELECT count(*) FROM app.entries"))
                .as("rows on the old shard")
                .isZero();
        assertThat(lab.journal.retained()).noneMatch(move -> move.phase() != MovePhase.RETAINED);
    }
}
