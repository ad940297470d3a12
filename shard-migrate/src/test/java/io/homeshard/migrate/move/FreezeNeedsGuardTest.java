package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.catalog.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** No freeze without a complete guard, whoever is taking it off at the moment. */
class FreezeNeedsGuardTest extends MovingShop {
    FreezeNeedsGuardTest() {
        super(5);
    }

    @Test
    void refusedWhenAScriptHasDisabledTriggersMeanwhile() throws Exception {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        try (Connection script = lab.connect(s1)) {
            script.setAutoCommit(false);

            assertThatThrownBy(() -> engine.execute(plan, PhaseListener.at(MovePhase.FREEZING, move -> {
                        MoveLab.execute(script, "ALTER TABLE app.m_orders DISABLE TRIGGER ALL");
                        finishWhenTheFreezeWaits(script, true);
                    })))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("aborted")
                    .hasMessageContaining("m_orders");
        } finally {
            try (Connection connection = lab.connect(s1)) {
                lab.guard.install(connection, Shop.TABLES, Duration.ofSeconds(5));
            }
        }
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.OWNED);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }

    @Test
    void goesOnWhenTheScriptTookItBack() throws Exception {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        try (Connection script = lab.connect(s1)) {
            script.setAutoCommit(false);

            MoveReport report = engine.execute(plan, PhaseListener.at(MovePhase.FREEZING, move -> {
                MoveLab.execute(script, "ALTER TABLE app.m_orders DISABLE TRIGGER ALL");
                finishWhenTheFreezeWaits(script, false);
            }));

            assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        }
    }

    private void finishWhenTheFreezeWaits(Connection script, boolean commit) {
        CompletableFuture.runAsync(() -> {
            MoveLab.await(() -> lab.count(
                            s1,
                            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND application_name LIKE 'hs-move %' AND wait_event_type = 'Lock'")
                    > 0);
            try {
                if (commit) {
                    script.commit();
                } else {
                    script.rollback();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void planNamesATableWithoutGuard() throws Exception {
        try (Connection connection = lab.connect(s2)) {
            MoveLab.execute(connection, "ALTER TABLE app.a_lines DISABLE TRIGGER ALL");
            MovePlan plan = lab.engine().plan(tenant, s2);

            assertThat(plan.obstacles()).isNotEmpty().allSatisfy(finding -> {
                assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                assertThat(finding.name()).isEqualTo("guard-incomplete");
                assertThat(finding.shard()).isEqualTo(s2);
                assertThat(finding.toString()).contains("a_lines");
            });
            assertThatThrownBy(() -> lab.engine().execute(plan, MoveListener.NONE))
                    .isInstanceOf(MoveException.class)
                    .hasMessageContaining("guard-incomplete");
            assertThat(lab.journal.ofTenant(tenant)).isEmpty();
            lab.guard.install(connection, Shop.TABLES, Duration.ofSeconds(5));
        }
    }

    @Test
    void refusedWhereNoGuardWasEverInstalled() throws Exception {
        try (MoveLab bare = MoveLab.unguarded(Shop.TABLES, Shop.DDL);
                Connection shard = bare.connect(bare.shard(1))) {
            bare.tenant(tenant, bare.shard(1));
            MoverToken token = new MoverToken(tenant, UUID.randomUUID(), 1_000_000, 1);

            SQLException refusal = catchThrowableOfType(
                    SQLException.class, () -> bare.guard.freeze(shard, token, 1, Duration.ofMillis(100)));

            assertThat(refusal.getSQLState()).isEqualTo(SqlStates.GUARD_INCOMPLETE);
            assertThat(bare.state(bare.shard(1), tenant)).isEqualTo(OwnershipState.OWNED);
            assertThat(bare.engine().plan(tenant, bare.shard(2)).obstacles())
                    .extracting(Finding::name)
                    .contains("guard-incomplete");
        }
    }
}
