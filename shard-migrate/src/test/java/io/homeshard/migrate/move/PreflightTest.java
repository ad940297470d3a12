package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import io.homeshard.model.UnknownTenantException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is found before anybody has to wait. */
class PreflightTest extends MovingShop {
    PreflightTest() {
        super(5);
    }

    @Test
    void refusesWhatCannotBePlanned() {
        assertThatThrownBy(() -> lab.engine().plan(TenantId.of("nobody"), s2))
                .isInstanceOf(UnknownTenantException.class);
        assertThatThrownBy(() -> lab.engine().plan(tenant, s1))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> lab.engine().plan(tenant, ShardId.of("s9")))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("not in the directory");
    }

    @Test
    void targetMustBeInService() {
        lab.admin.setStatus(s2, ShardStatus.DRAINING);
        try {
            MovePlan plan = lab.engine().plan(tenant, s2);

            assertThat(plan.obstacles()).extracting(Finding::name).containsExactly("target-not-in-service");
            assertThatThrownBy(() -> lab.engine().execute(plan, MoveListener.NONE))
                    .isInstanceOf(MoveException.class);
        } finally {
            lab.admin.setStatus(s2, ShardStatus.ACTIVE);
        }
        assertThat(lab.journal.ofTenant(tenant)).isEmpty();
    }

    @Test
    void namesTheTableThatDiffers() {
        lab.run(s2, "ALTER TABLE app.a_lines ADD COLUMN extra int");
        try {
            assertThat(lab.engine().plan(tenant, s2).obstacles())
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                        assertThat(finding.name()).isEqualTo("column-extra");
                        assertThat(finding.shard()).isEqualTo(s2);
                        assertThat(String.valueOf(finding.table())).isEqualTo("app.a_lines");
                        assertThat(finding.column()).isEqualTo("extra");
                    });
        } finally {
            lab.run(s2, "ALTER TABLE app.a_lines DROP COLUMN extra");
        }
        assertThat(lab.engine().plan(tenant, s2).obstacles()).isEmpty();
    }

    @Test
    void warningsAreAcceptedByName() {
        lab.run(s2, "INSERT INTO app.currencies VALUES ('CHF')");
        try {
            MovePlan plan = lab.engine().plan(tenant, s2);
            assertThat(plan.obstacles()).extracting(Finding::name).containsExactly("reference-differs");
            assertThatThrownBy(() -> lab.engine().execute(plan, MoveListener.NONE))
                    .hasMessageContaining("reference-differs");
            assertThatThrownBy(() -> plan.accepting("something-else")).isInstanceOf(IllegalArgumentException.class);

            MoveReport report = lab.engine().execute(plan.accepting("reference-differs"), MoveListener.NONE);

            assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        } finally {
            lab.run(s2, "DELETE FROM app.currencies WHERE code = 'CHF'");
        }
    }

    /** Rows that nobody answers for are deleted only when somebody has said so. */
    @Test
    void leftoversOfNobodyAreAWarning() throws SQLException {
        try (Connection script = lab.connect(s2)) {
            MoveLab.execute(script, "ALTER TABLE app.z_company DISABLE TRIGGER ALL");
            MoveLab.execute(script, "INSERT INTO app.z_company VALUES ('" + tenant + "', 'stray', 'calm')");
            lab.guard.install(script, Shop.TABLES, Duration.ofSeconds(5));
        }
        MovePlan plan = lab.engine().plan(tenant, s2);

        assertThat(plan.obstacles()).extracting(Finding::name).containsExactly("leftover-rows");
        lab.engine().execute(plan.accepting("leftover-rows"), MoveListener.NONE);
        assertThat(Shop.rowsOf(lab, s2, tenant))
                .isEqualTo(Shop.rowsOf(lab, s1, tenant))
                .isNotEmpty();
    }

    @Test
    void preparedTransactionIsFoundAndBlocksTheFreezeByName() throws SQLException {
        MovePlan before = lab.engine().plan(tenant, s2);
        try (Connection writer = lab.connect(s1)) {
            MoveLab.execute(writer, "BEGIN");
            MoveLab.execute(writer, "INSERT INTO app.events (tenant_id) VALUES ('" + tenant + "')");
            MoveLab.execute(writer, "PREPARE TRANSACTION 'forgotten'");
            try {
                assertThat(lab.engine().plan(tenant, s2).obstacles())
                        .singleElement()
                        .satisfies(finding -> {
                            assertThat(finding.name()).isEqualTo("prepared-transactions");
                            assertThat(finding.problem()).contains("forgotten");
                        });
                MoveEngine impatient =
                        lab.engine(MoveLab.CONFIG.freeze(MoveLab.CONFIG.freeze().patience(Duration.ofSeconds(1))));
                assertThatThrownBy(() -> impatient.execute(before, MoveListener.NONE))
                        .isInstanceOf(MoveException.class)
                        .hasMessageContaining("aborted")
                        .hasMessageContaining("forgotten");
                assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.OWNED);
                assertThat(Shop.order(lab, s1, tenant)).isPositive();
            } finally {
                MoveLab.execute(writer, "COMMIT PREPARED 'forgotten'");
            }
        }
        MoveReport report = lab.move(tenant, s2);
        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(report.phases()).extracting(PhaseTiming::phase).contains(MovePhase.FROZEN);
        assertThat(Shop.rowsOf(lab, s2, tenant)).hasSize(1 + 5 * 3 + 6 + 1);
    }

    @Test
    void planSaysWhatWillBeCopied() {
        lab.run(s1, "ANALYZE");
        MovePlan plan = lab.engine().plan(tenant, s2);

        assertThat(plan.source()).isEqualTo(s1);
        assertThat(plan.generation()).isEqualTo(1);
        assertThat(plan.fingerprint()).hasSize(64);
        assertThat(plan.tables()).hasSize(4);
        assertThat(plan.rows()).isPositive();
        assertThat(plan.bytes()).isGreaterThan(plan.rows());
        assertThat(lab.journal.ofTenant(tenant)).as("a plan changes nothing").isEmpty();
    }

    @Test
    void planThatIsOutOfDateIsNotExecuted() {
        MovePlan stale = lab.engine().plan(tenant, s2);
        lab.move(tenant, s2);
        lab.move(tenant, s1);
        List<String> rows = Shop.rowsOf(lab, s1, tenant);

        assertThatThrownBy(() -> lab.engine().execute(stale, MoveListener.NONE))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("out of date");

        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(Shop.rowsOf(lab, s1, tenant)).isEqualTo(rows);
        assertThat(Shop.order(lab, s1, tenant)).isPositive();
    }
}
