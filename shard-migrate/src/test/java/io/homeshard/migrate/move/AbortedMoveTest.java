package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What an aborted move leaves on the target is written by nobody, is never taken for the tenant, and is gone before the
 * next attempt copies; {@code MoverRecoveryTest} has the target that cannot be reached for cleaning up.
 */
class AbortedMoveTest extends MovingShop {
    private static final int CHANGES = 5;

    AbortedMoveTest() {
        super(4 * CHANGES);
    }

    @Test
    @DisplayName("e12 d53: aborted by an exception after the copy")
    void e12_d53_exceptionAfterTheCopy() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, point -> {
            if (point.equals(CrashPoint.after(Step.COPY_ROWS))) {
                assertThat(Shop.rowsOf(lab, s2, tenant)).isNotEmpty();
                throw new IllegalStateException("out of memory, or so");
            }
        });
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("was aborted and undone, shard s1 serves the tenant as before")
                .hasMessageContaining("out of memory, or so");

        secondAttemptIsExact();
    }

    @Test
    @DisplayName("e12 d53: the mover is killed by SIGKILL after the copy")
    void e12_d53_killedAfterTheCopy() throws Exception {
        killedAt(CrashPoint.after(Step.COPY_ROWS));
        assertThat(Shop.rowsOf(lab, s2, tenant)).as("leftovers").isNotEmpty();
        leftoversAreNobodysTenant();

        recover();

        secondAttemptIsExact();
    }

    @Test
    @DisplayName("d53: the second attempt is killed between emptying the target and copying")
    void d53_killedBetweenEmptyingAndCopying() throws Exception {
        killedAt(CrashPoint.after(Step.COPY_ROWS));
        MoveRecord move = lab.journal.ofTenant(tenant).get(0);
        lab.expire(move.id());
        MoveEngine second = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.EMPTY_TARGET));
        assertThatThrownBy(() -> second.resume(move.id(), MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        assertThat(Shop.rowsOf(lab, s2, tenant)).as("leftovers").isEmpty();

        recover();

        secondAttemptIsExact();
    }

    private void killedAt(CrashPoint point) throws Exception {
        MoverProcess.killedAt(lab, point.toString(), "move", tenant, s2.value());
    }

    private void leftoversAreNobodysTenant() {
        assertThat(lab.placement(tenant).shard()).isEqualTo(s1);
        assertThat(lab.state(s2, tenant)).isEqualTo(OwnershipState.INCOMING);
        assertThatThrownBy(() -> lab.run(s2, "INSERT INTO app.events (tenant_id) VALUES (?)", tenant.value()))
                .hasStackTraceContaining("homeshard:");
        assertThatThrownBy(() -> lab.run(s2, "UPDATE app.m_orders SET note = 'x' WHERE tenant_id = ?", tenant.value()))
                .hasStackTraceContaining("homeshard:");
    }

    private void recover() {
        lab.expire(lab.journal.ofTenant(tenant).get(0).id());
        assertThat(lab.engine().recover())
                .filteredOn(report -> report.tenant().equals(tenant))
                .extracting(MoveReport::outcome)
                .containsExactly(MoveReport.Outcome.ABORTED);
    }

    private void secondAttemptIsExact() {
        assertThat(lab.journal.ofTenant(tenant).get(0).phase()).isEqualTo(MovePhase.ABORTED);
        assertThat(lab.state(s2, tenant)).isNull();
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEmpty();
        List<String> before = Shop.rowsOf(lab, s1, tenant);
        change();
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        assertThat(rows).isNotEqualTo(before);

        MoveReport report = lab.move(tenant, s2);

        assertThat(report.rows()).isEqualTo(rows.size());
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
        assertThat(lab.owners(tenant)).containsExactly(s2);
    }

    /** Deletes, updates and inserts rows that a leftover would bring back, keep old or double. */
    private void change() {
        String t = tenant.value();
        lab.run(s1, "DELETE FROM app.a_lines WHERE tenant_id = ? AND line = 1", t);
        lab.run(s1, """
                UPDATE app.m_orders SET note = 'changed'
                 WHERE tenant_id = ? AND id IN (SELECT id FROM app.m_orders WHERE tenant_id = ? ORDER BY id LIMIT ?)
                """, t, t, CHANGES);
        for (int i = 0; i < CHANGES; i++) {
            Shop.order(lab, s1, tenant);
        }
    }
}
