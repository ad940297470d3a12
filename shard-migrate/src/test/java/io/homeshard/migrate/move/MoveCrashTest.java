package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.model.ShardId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The mover's JVM is killed, by SIGKILL, at each point; the tenant is writing all the while. */
class MoveCrashTest extends MovingShop {
    MoveCrashTest() {
        super(20);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "PLANNED",
                "RESERVED",
                "FREEZING",
                "FROZEN",
                "COPYING",
                "VERIFIED",
                "FLIPPED",
                "ACTIVATED",
                "RETAINED"
            })
    void killedAfterEachPhase(MovePhase phase) throws Exception {
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        try (BusyTenant busy = new BusyTenant(lab, tenant)) {
            busy.awaitMore();
            MoverProcess.killedAt(lab, phase.name(), "move", tenant, s2.value());
            MoveRecord killed = lab.journal.ofTenant(tenant).get(0);
            assertThat(killed.phase()).isEqualTo(phase);

            List<MoveReport> reports = recover(killed.id());

            ShardId owner = phase.beforeFlip() ? s1 : s2;
            assertThat(lab.journal.find(killed.id()).orElseThrow().phase())
                    .isEqualTo(phase.beforeFlip() ? MovePhase.ABORTED : MovePhase.RETAINED);
            assertThat(reports).hasSize(phase == MovePhase.RETAINED ? 0 : 1);
            busy.awaitMore();
            busy.verify();
            assertThat(lab.owners(tenant)).containsExactly(owner);
            assertThat(Shop.rowsOf(lab, owner, tenant)).containsAll(rows);
            assertThat(lab.state(s2, tenant)).isEqualTo(phase.beforeFlip() ? null : OwnershipState.OWNED);
            assertThat(Shop.rowsOf(lab, s2, tenant))
                    .hasSize(phase.beforeFlip() ? 0 : rows.size() + busy.acknowledged());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FREEZE", "COPY_ROWS", "MARK_MOVED", "ACTIVATE"})
    void killedBetweenEffectAndJournal(Step step) throws Exception {
        boolean flipped = step.compareTo(Step.FLIP) > 0;
        try (BusyTenant busy = new BusyTenant(lab, tenant)) {
            busy.awaitMore();
            MoverProcess.killedAt(lab, CrashPoint.after(step).toString(), "move", tenant, s2.value());

            recover(lab.journal.ofTenant(tenant).get(0).id());

            busy.awaitMore();
            busy.verify();
            assertThat(lab.owners(tenant)).containsExactly(flipped ? s2 : s1);
        }
    }

    @Test
    void killedWhileItUndoes() throws Exception {
        try (BusyTenant busy = new BusyTenant(lab, tenant)) {
            busy.awaitMore();
            MoverProcess.killedAt(lab, "AFTER UNFREEZE", "cancelled", tenant, s2.value());
            UUID move = lab.journal.ofTenant(tenant).get(0).id();
            assertThat(lab.journal.find(move).orElseThrow().phase()).isEqualTo(MovePhase.ABORTING);

            recover(move);

            assertThat(lab.journal.find(move).orElseThrow().phase()).isEqualTo(MovePhase.ABORTED);
            busy.awaitMore();
            busy.verify();
            assertThat(lab.owners(tenant)).containsExactly(s1);
            assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        }
    }

    @Test
    void killedWhileItCleans() throws Exception {
        MoveReport report = lab.move(tenant, s2);
        List<String> rows = Shop.rowsOf(lab, s2, tenant);
        MoverProcess.killedAt(
                lab, "AFTER SWEEP_OLD", "clean", tenant, report.move().toString());
        assertThat(lab.journal.find(report.move()).orElseThrow().phase()).isEqualTo(MovePhase.CLEANING);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isNotEmpty().hasSizeLessThan(rows.size());
        lab.expire(report.move());

        MoveReport cleaned = lab.engine().clean(report.move(), false);

        assertThat(cleaned.outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
    }

    @Test
    void resumedGoesForwardAgain() throws Exception {
        try (BusyTenant busy = new BusyTenant(lab, tenant)) {
            busy.awaitMore();
            MoverProcess.killedAt(lab, "VERIFIED", "move", tenant, s2.value());
            UUID move = lab.journal.ofTenant(tenant).get(0).id();
            lab.expire(move);

            MoveReport report = lab.engine().resume(move, MoveListener.NONE);

            assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
            assertThat(lab.journal.find(move).orElseThrow().attempt()).isEqualTo(2);
            busy.awaitMore();
            busy.verify();
            assertThat(lab.owners(tenant)).containsExactly(s2);
            assertThat(lab.engine().resume(move, MoveListener.NONE).outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        }
    }

    private List<MoveReport> recover(UUID move) {
        assertThat(lab.engine().recover()).as("while the lease lasts").isEmpty();
        lab.expire(move);
        return lab.engine().recover();
    }
}
