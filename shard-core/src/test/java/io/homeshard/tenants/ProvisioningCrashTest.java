package io.homeshard.tenants;

import static io.homeshard.tenants.TenantsFixture.S1;
import static io.homeshard.tenants.TenantsFixture.S2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.Placement;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantNotReadyException;
import io.homeshard.tenants.TenantsTest.Crash;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ProvisioningCrashTest {
    private static final TenantId ACME = TenantId.of("acme");
    private static final Set<ProvisioningStep> COMMITTED =
            EnumSet.of(ProvisioningStep.COMMITTED, ProvisioningStep.ACTIVATED);

    private final TenantsFixture fixture = new TenantsFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGUN", "RESERVED", "VERIFIED", "COMMITTED", "ACTIVATED"})
    void aCreatorThatDiesIsFinishedOrUndone(ProvisioningStep death) {
        assertThatThrownBy(() -> fixture.tenants(dieAt(death)).createOn(ACME, S1))
                .isInstanceOf(Crash.class);
        assertThat(fixture.tenants().repair()).as("the lease lasts").isEqualTo(nothing());
        fixture.expire();
        RepairReport report = fixture.tenants().repair();
        boolean committed = COMMITTED.contains(death);
        assertThat(report.finished()).isEqualTo(committed ? List.of(ACME) : List.of());
        assertThat(report.undone()).isEqualTo(committed ? List.of() : List.of(ACME));
        assertThat(report.left()).isEmpty();
        assertThat(fixture.disagreements(ACME)).isEmpty();
        assertThat(fixture.directory.find(ACME).isPresent()).isEqualTo(committed);
        assertThat(fixture.journaled()).isZero();
        if (!committed) {
            Placement again = fixture.tenants().createOn(ACME, S2);
            assertThat(again.generation()).as("a generation never restarts").isEqualTo(2);
            assertThat(fixture.disagreements(ACME)).isEmpty();
        }
    }

    /** A repair looks into all tables, and some are too large for the time that a step has. */
    @Test
    void aRepairMayLookThroughLargeTables() throws SQLException {
        assertThatThrownBy(
                        () -> fixture.tenants(dieAt(ProvisioningStep.VERIFIED)).createOn(ACME, S1))
                .isInstanceOf(Crash.class);
        fixture.expire();
        try (Connection shard = fixture.cluster.shard(0).connect()) {
            Jdbc.run(shard, """
                    CREATE OR REPLACE FUNCTION homeshard.table_with_rows(p_tenant text) RETURNS text LANGUAGE plpgsql AS $$
                    BEGIN
                      IF current_setting('statement_timeout')::interval < interval '5 min' THEN
                        RAISE 'would have taken longer' USING ERRCODE = 'query_canceled';
                      END IF;
                      RETURN NULL;
                    END $$""");
            ShardSession.forManyRows(shard);
            assertThat(Duration.ofMillis(shard.getNetworkTimeout()))
                    .as("the server gives up first")
                    .isGreaterThan(Duration.ofMinutes(30));
        }
        assertThat(fixture.tenants().repair().undone()).containsExactly(ACME);
        assertThat(fixture.disagreements(ACME)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"REPAIR_TAKEN", "REPAIR_FENCED", "REPAIR_SETTLED"})
    void aRepairThatDiesIsRepaired(ProvisioningStep death) {
        for (ProvisioningStep first : List.of(ProvisioningStep.VERIFIED, ProvisioningStep.COMMITTED)) {
            TenantId tenant = TenantId.of("t-" + first);
            assertThatThrownBy(() -> fixture.tenants(dieAt(first)).createOn(tenant, S1))
                    .isInstanceOf(Crash.class);
            fixture.expire();
            assertThatThrownBy(() -> fixture.tenants(dieAt(death)).repair()).isInstanceOf(Crash.class);
            fixture.expire();
            RepairReport report = fixture.tenants().repair();
            assertThat(report.complete()).isTrue();
            assertThat(first == ProvisioningStep.COMMITTED ? report.finished() : report.undone())
                    .containsExactly(tenant);
            assertThat(fixture.disagreements(tenant)).isEmpty();
        }
    }

    /** The creator sleeps at a step, a repair ends its operation, and then it wakes up and goes on. */
    @ParameterizedTest
    @EnumSource(names = {"BEGUN", "RESERVED", "VERIFIED", "COMMITTED", "ACTIVATED"})
    void aLateCreatorAndARepairCannotBothWin(ProvisioningStep sleep) {
        List<RepairReport> reports = new ArrayList<>();
        Tenants late = fixture.tenants(at(sleep, () -> {
            fixture.expire();
            reports.add(fixture.tenants().repair());
        }));
        if (COMMITTED.contains(sleep)) {
            assertThat(late.createOn(ACME, S1).shard()).isEqualTo(S1);
            assertThat(reports.get(0).finished()).containsExactly(ACME);
        } else {
            assertThatThrownBy(() -> late.createOn(ACME, S1))
                    .isInstanceOf(TenantNotReadyException.class)
                    .hasMessageContaining("taken over by a repair");
            assertThat(reports.get(0).undone()).containsExactly(ACME);
            assertThat(fixture.directory.find(ACME)).isEmpty();
        }
        assertThat(fixture.disagreements(ACME)).isEmpty();
        assertThat(fixture.journaled()).isZero();
    }

    /** The creator wakes up while the repair is between two of its own steps. */
    @ParameterizedTest
    @EnumSource(names = {"REPAIR_TAKEN", "REPAIR_FENCED", "REPAIR_SETTLED"})
    void aCreatorThatWakesUpDuringARepairLoses(ProvisioningStep during) throws Exception {
        CyclicBarrier meet = new CyclicBarrier(2);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Tenants late = fixture.tenants(at(ProvisioningStep.VERIFIED, () -> {
                await(meet); // it has reserved
                await(meet); // the repair has come to its step
            }));
            Future<Placement> creation = thread.submit(() -> late.createOn(ACME, S1));
            await(meet);
            fixture.expire();
            RepairReport report = fixture.tenants(at(during, () -> {
                        await(meet);
                        assertThatThrownBy(creation::get).hasCauseInstanceOf(TenantNotReadyException.class);
                    }))
                    .repair();
            assertThat(report.undone()).containsExactly(ACME);
            assertThat(fixture.disagreements(ACME)).isEmpty();
        } finally {
            thread.shutdownNow();
        }
    }

    /** A creator hangs inside a transaction that holds the fence: the repair ends its session. */
    @Test
    void aCreatorThatHoldsTheFenceIsEnded() throws Exception {
        Tenants dying = fixture.tenants(at(ProvisioningStep.RESERVED, () -> {
            throw new Crash();
        }));
        assertThatThrownBy(() -> dying.createOn(ACME, S1)).isInstanceOf(Crash.class);
        var row = fixture.onShard(S1, ACME).orElseThrow();
        try (Connection old = fixture.parts
                .pools()
                .open(fixture.directory.shard(S1).orElseThrow(), "hs-move " + row.move() + " " + row.epoch())) {
            old.setAutoCommit(false);
            Jdbc.run(old, "SELECT homeshard.mark_verified(?, 1, ?, ?, 1)", ACME.value(), row.move(), row.epoch());
            fixture.expire();
            assertThat(fixture.tenants().repair().undone()).containsExactly(ACME);
            assertThatThrownBy(old::commit).isInstanceOf(java.sql.SQLException.class);
        }
        assertThat(fixture.disagreements(ACME)).isEmpty();
    }

    /** Creators with hardly any lease, repairs all the time: at the end both witnesses agree about every tenant. */
    @Test
    void creatorsAndRepairsAtRandomLeaveNoDisagreement() throws Exception {
        Tenants hasty = fixture.tenants(Duration.ofMillis(15));
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<?> repairs = threads.submit(() -> {
                while (!stop.get()) {
                    hasty.repair();
                }
            });
            List<Future<Integer>> creators = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                String prefix = "c" + t + "-";
                creators.add(threads.submit(() -> create(hasty, prefix, 15)));
            }
            int refused = 0;
            for (Future<Integer> creator : creators) {
                refused += creator.get();
            }
            stop.set(true);
            repairs.get();
            fixture.expire();
            assertThat(fixture.tenants().repair().complete()).isTrue();
            int present = 0;
            for (int i = 0; i < 30; i++) {
                TenantId tenant = TenantId.of("c" + i / 15 + "-" + i % 15);
                assertThat(fixture.disagreements(tenant)).isEmpty();
                present += fixture.directory.find(tenant).isPresent() ? 1 : 0;
            }
            assertThat(present).isGreaterThanOrEqualTo(30 - refused);
            assertThat(fixture.journaled()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Creates tenants and gives the number of those that were refused. */
    private static int create(Tenants tenants, String prefix, int count) {
        int refused = 0;
        for (int i = 0; i < count; i++) {
            try {
                tenants.create(TenantId.of(prefix + i));
            } catch (TenantNotReadyException e) {
                refused++;
            }
        }
        return refused;
    }

    private static RepairReport nothing() {
        return new RepairReport(List.of(), List.of(), List.of());
    }

    private static Consumer<ProvisioningStep> dieAt(ProvisioningStep death) {
        return at(death, () -> {
            throw new Crash();
        });
    }

    private static Consumer<ProvisioningStep> at(ProvisioningStep step, Runnable action) {
        return reached -> {
            if (reached == step) {
                action.run();
            }
        };
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
