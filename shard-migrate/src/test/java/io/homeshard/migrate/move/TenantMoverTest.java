package io.homeshard.migrate.move;

import static io.homeshard.migrate.move.MoveLab.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.model.PlacementState;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TenantMoverTest extends MovingShop {
    private static final TenantId THIRD = TenantId.of("third");
    private static final int ORDERS = 40;

    TenantMoverTest() {
        super(ORDERS);
    }

    @BeforeAll
    static void open() throws SQLException {
        lab.tenant(OTHER, s1);
        lab.tenant(THIRD, s2);
        Shop.fill(lab, s1, OTHER, 7);
        Shop.fill(lab, s2, THIRD, 9);
    }

    @Test
    void wholeMoveTakesEveryRowAndTouchesNobodyElse() {
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        List<String> othersOnSource = Shop.rowsOfOthers(lab, s1, tenant);
        List<String> othersOnTarget = Shop.rowsOfOthers(lab, s2, tenant);
        List<MovePhase> phases = new ArrayList<>();
        MoveEngine engine = lab.engine();

        MovePlan plan = engine.plan(tenant, s2);
        MoveReport report = engine.execute(plan, new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                phases.add(move.phase());
            }
        });

        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.tables())
                .extracting(t -> t.table().name())
                .containsExactly("events", "z_company", "m_orders", "a_lines");
        assertThat(phases)
                .containsExactly(
                        MovePhase.PLANNED,
                        MovePhase.RESERVED,
                        MovePhase.FREEZING,
                        MovePhase.FROZEN,
                        MovePhase.COPYING,
                        MovePhase.VERIFIED,
                        MovePhase.FLIPPED,
                        MovePhase.ACTIVATED,
                        MovePhase.RETAINED);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows).hasSize(1 + ORDERS * 3 + 5);
        assertThat(Shop.rowsOfOthers(lab, s1, tenant))
                .as("others on the source")
                .isEqualTo(othersOnSource);
        assertThat(Shop.rowsOfOthers(lab, s2, tenant))
                .as("others on the target")
                .isEqualTo(othersOnTarget);
        assertThat(lab.placement(tenant)).satisfies(p -> {
            assertThat(p.shard()).isEqualTo(s2);
            assertThat(p.generation()).isEqualTo(2);
            assertThat(p.state()).isEqualTo(PlacementState.ACTIVE);
        });
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.MOVED);
        assertThat(lab.state(s2, tenant)).isEqualTo(OwnershipState.OWNED);
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.rows()).isEqualTo(rows.size());
        assertThat(report.bytes()).isPositive();
        assertThat(report.freezeMillis()).isNotNull().isPositive();
        assertThat(report.tables())
                .hasSize(4)
                .allSatisfy(t -> assertThat(t.source().sameRows(t.target())).isTrue());
        assertThat(report.tables().get(2).sums()).containsKeys("total", "price");
        assertThat(lab.journal.evidence(report.move()).orElseThrow())
                .contains("\"freezeMillis\"")
                .contains("m_orders");
        assertThat(Shop.order(lab, s2, tenant)).isGreaterThan(ORDERS);
    }

    @Test
    void oldShardRefusesEveryWriteAfterwards() {
        lab.move(tenant, s2);

        List<String> before = Shop.rowsOf(lab, s1, tenant);
        for (String sql : List.of(
                "INSERT INTO app.m_orders (tenant_id) VALUES (?)",
                "UPDATE app.m_orders SET note = 'late' WHERE tenant_id = ?",
                "DELETE FROM app.a_lines WHERE tenant_id = ?")) {
            assertThatThrownBy(() -> lab.run(s1, sql, tenant.value())).as(sql).hasStackTraceContaining("homeshard:");
        }
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(before);
        assertThat(Shop.order(lab, s1, OTHER)).isPositive();
    }

    @Test
    void goesThereAndBackAgain() {
        List<String> rows = Shop.rowsOf(lab, s1, tenant);
        MoveReport there = lab.move(tenant, s2);
        long made = Shop.order(lab, s2, tenant);
        lab.run(s2, "DELETE FROM app.events WHERE tenant_id = ?", tenant.value());
        List<String> changed = Shop.rowsOf(lab, s2, tenant);

        MovePlan back = lab.engine().plan(tenant, s1);
        assertThat(back.obstacles()).isEmpty();
        assertThat(back.findings()).extracting(Finding::name).contains("retained-rows");
        MoveReport report = lab.engine().execute(back, MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(changed).isNotEqualTo(rows);
        assertThat(lab.placement(tenant).generation()).isEqualTo(3);
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(Shop.order(lab, s1, tenant)).isGreaterThan(made);
        assertThatThrownBy(() -> lab.engine().clean(there.move(), true))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("later move");
        assertThat(Shop.rowsOf(lab, s1, tenant)).hasSize(changed.size() + 1);
    }

    @Test
    void cleansOnlyAfterTheRetention() {
        List<String> others = Shop.rowsOfOthers(lab, s1, tenant);
        MoveReport report = lab.move(tenant, s2);
        List<String> rows = Shop.rowsOf(lab, s2, tenant);
        long epoch = lab.journal.find(report.move()).orElseThrow().epoch();
        int steps = lab.journal.steps(report.move()).size();

        assertThatThrownBy(() -> lab.engine().clean(report.move(), false))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("kept until");
        assertThat(lab.journal.find(report.move()).orElseThrow().epoch())
                .as("a refusal leaves no trace")
                .isEqualTo(epoch);
        assertThat(lab.journal.steps(report.move())).hasSize(steps);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);

        MoveReport cleaned = lab.engine(MoveLab.CONFIG.retention(Duration.ZERO)).clean(report.move(), false);

        assertThat(cleaned.outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(Shop.rowsOfOthers(lab, s1, tenant)).isEqualTo(others);
        assertThat(Shop.rowsOf(lab, s2, tenant)).isEqualTo(rows);
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.MOVED);
        assertThat(lab.engine().clean(report.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
    }

    @Test
    void copyKeepsToItsRate() {
        lab.run(s1, "UPDATE app.z_company SET name = repeat('x', 60000) WHERE id = ?", tenant.value());
        MoveEngine engine = lab.engine(MoveLab.CONFIG.copy(CopyLimits.defaults().bytesPerSecond(50_000)));

        MoveReport report = engine.execute(engine.plan(tenant, s2), MoveListener.NONE);

        assertThat(report.bytes()).isGreaterThan(60_000);
        assertThat(report.phases())
                .filteredOn(timing -> timing.phase() == MovePhase.COPYING)
                .singleElement()
                .satisfies(timing -> assertThat(timing.millis()).isGreaterThan(1_000));
    }

    /** After a crash nobody knows the ids any more. */
    @Test
    void cleansEverythingThatIsDueThoughOneCannotBe() throws SQLException {
        TenantId stuck = TenantId.of("stuck " + UUID.randomUUID());
        lab.tenant(stuck, s1);
        Shop.fill(lab, s1, stuck, 2);
        UUID first = lab.move(stuck, s2).move();
        UUID second = lab.move(tenant, s2).move();
        assertThat(lab.engine().retained()).extracting(MoveRecord::id).containsSubsequence(first, second);
        assertThat(lab.engine().cleanDue()).as("a day has not gone by").isEmpty();
        lab.run(s1, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", stuck.value());
        MoveEngine engine = lab.engine(MoveLab.CONFIG.retention(Duration.ZERO), SimulatedCrash.at(Step.SWEEP_OLD));
        assertThatThrownBy(() -> engine.clean(second, false)).isInstanceOf(SimulatedCrash.class);
        lab.expire(second);

        List<MoveReport> reports =
                lab.engine(MoveLab.CONFIG.retention(Duration.ZERO)).cleanDue();

        assertThat(reports)
                .filteredOn(report -> report.move().equals(first))
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
                    assertThat(report.reason()).contains("not cleaned");
                });
        assertThat(reports)
                .filteredOn(report -> report.move().equals(second))
                .extracting(MoveReport::outcome)
                .containsExactly(MoveReport.Outcome.CLEANED);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEmpty();
        assertThat(lab.engine().retained()).extracting(MoveRecord::id).doesNotContain(second);
    }
}
