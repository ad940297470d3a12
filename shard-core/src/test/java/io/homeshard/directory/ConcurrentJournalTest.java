package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static io.homeshard.directory.DirectoryFixture.S3;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConcurrentJournalTest {
    private static final String SINCE =
            "SELECT map_version FROM homeshard.placement_history WHERE map_version > ? ORDER BY map_version";

    private final DirectoryFixture fixture = new DirectoryFixture();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        fixture.close();
    }

    @Test
    void ofTwoMoversThatPlanOneWins() throws Exception {
        fixture.tenant(ACME, S1);
        for (int round = 0; round < 20; round++) {
            UUID first = UUID.randomUUID();
            UUID second = UUID.randomUUID();
            List<StepResult> answers = together(
                    () -> fixture.journal.plan(first, ACME, S2, "a", LEASE),
                    () -> fixture.journal.plan(second, ACME, S3, "b", LEASE));
            assertThat(answers).filteredOn(StepResult::ok).hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> !answer.ok())
                    .allMatch(answer -> answer.toString().contains("unfinished move"));
            abort(answers.get(0).ok() ? first : second);
        }
    }

    private void abort(UUID move) {
        MoveTicket ticket = fixture.ticket(move);
        fixture.journal.abort(ticket, "next round");
        fixture.journal.advance(ticket, MovePhase.ABORTING, MovePhase.ABORTED, "{}", LEASE);
    }

    @Test
    void ofTwoThatTakeOverOneWins() throws Exception {
        fixture.tenant(ACME, S1);
        MoveTicket ticket = fixture.move(ACME, S2, MovePhase.FROZEN);
        for (int round = 0; round < 20; round++) {
            fixture.expire(ticket.move());
            List<Optional<MoveRecord>> taken = together(
                    () -> fixture.journal.takeOver(ticket.move(), "a", LEASE, false),
                    () -> fixture.journal.takeOver(ticket.move(), "b", LEASE, false));
            assertThat(taken).filteredOn(Optional::isPresent).hasSize(1);
        }
    }

    @Test
    void flipAndCancelCannotBothWin() throws Exception {
        int flips = 0;
        for (int round = 0; round < 30; round++) {
            TenantId tenant = TenantId.of("t" + round);
            fixture.tenant(tenant, S1);
            MoveTicket ticket = fixture.move(tenant, S2, MovePhase.VERIFIED);
            List<StepResult> answers =
                    together(() -> fixture.journal.flip(ticket), () -> fixture.journal.cancel(ticket.move(), "race"));
            assertThat(answers).filteredOn(StepResult::ok).as("one of two").hasSize(1);
            boolean flipped = answers.get(0).ok();
            flips += flipped ? 1 : 0;
            assertThat(fixture.journal.find(ticket.move()).orElseThrow().phase())
                    .isEqualTo(flipped ? MovePhase.FLIPPED : MovePhase.ABORTING);
            assertThat(fixture.directory.find(tenant).orElseThrow().shard()).isEqualTo(flipped ? S2 : S1);
        }
        assertThat(flips).isBetween(0, 30);
    }

    @Test
    void ofManyThatCreateOneTenantOneWins() throws Exception {
        for (int round = 0; round < 10; round++) {
            TenantId tenant = TenantId.of("n" + round);
            Callable<Boolean> creator = () -> {
                try {
                    fixture.admin.beginCreate(tenant, S1, UUID.randomUUID(), LEASE);
                    return true;
                } catch (io.homeshard.model.TenantExistsException e) {
                    return false;
                }
            };
            assertThat(together(creator, creator, creator, creator)).containsOnlyOnce(true);
        }
    }

    /** Whoever asks "what came since v" while eight threads change placements misses no version. */
    @Test
    void changesCommitInTheOrderOfTheirVersions() throws Exception {
        int writers = 8;
        int tenants = 25;
        List<Future<?>> running = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            String prefix = "w" + w + "-";
            running.add(threads.submit(() -> {
                for (int i = 0; i < tenants; i++) {
                    fixture.tenant(TenantId.of(prefix + i), S1);
                }
            }));
        }
        long all = 2L * writers * tenants;
        List<Long> seen = new ArrayList<>();
        try (Connection reader = fixture.database.connect()) {
            while (seen.size() < all) {
                long last = seen.isEmpty() ? 0 : seen.get(seen.size() - 1);
                List<Long> page = Jdbc.list(reader, SINCE, row -> row.getLong(1), last);
                for (long version : page) {
                    assertThat(version).as("no version is skipped").isEqualTo(++last);
                }
                seen.addAll(page);
            }
        }
        for (Future<?> writer : running) {
            writer.get();
        }
        assertThat(fixture.mapVersion()).isEqualTo(all);
    }

    @SafeVarargs
    private <T> List<T> together(Callable<T>... calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.length);
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> call : calls) {
            running.add(threads.submit(() -> {
                start.await();
                return call.call();
            }));
        }
        List<T> answers = new ArrayList<>();
        for (Future<T> future : running) {
            answers.add(future.get());
        }
        return answers;
    }
}
