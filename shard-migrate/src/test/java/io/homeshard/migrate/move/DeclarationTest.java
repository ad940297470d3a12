package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is a tenant table is said by the shard, and to all the same: guard, copy, comparison and cleaning. */
class DeclarationTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app", "late")
            .ignore("app.memo")
            .build();
    private static final TenantSchema OLDER = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .ignore("app.memo")
            .build();
    private static final TenantSchema SHRUNK = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app", "late")
            .ignore("app.memo", "late.extra")
            .build();
    private static final String DDL = """
            CREATE SCHEMA app; CREATE SCHEMA late; CREATE SCHEMA aside;
            CREATE TABLE app.doc (tenant_id text NOT NULL, id int, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.memo () INHERITS (app.doc);
            CREATE TABLE aside.letter (seal text, PRIMARY KEY (tenant_id, id)) INHERITS (app.doc);
            CREATE TABLE late.extra (tenant_id text NOT NULL, id int, PRIMARY KEY (tenant_id, id));
            CREATE SEQUENCE late.number;
            """;
    private static final String COUNT = "SELECT count(*) FROM ONLY %s WHERE tenant_id = ?";

    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());
    private MoveLab lab;
    private ShardId s1;
    private ShardId s2;

    @BeforeEach
    void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(tenant, s1);
        lab.run(s1, "INSERT INTO app.doc VALUES (?, 1)", tenant.value());
        lab.run(s1, "INSERT INTO app.memo VALUES (?, 2), (?, 3)", tenant.value(), tenant.value());
        lab.run(s1, "INSERT INTO aside.letter VALUES (?, 4, 'wax'), (?, 5, NULL)", tenant.value(), tenant.value());
        lab.run(s1, "INSERT INTO late.extra VALUES (?, 6)", tenant.value());
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private List<Long> rows(ShardId shard) {
        return List.of("app.doc", "app.memo", "aside.letter", "late.extra").stream()
                .map(table -> lab.count(shard, COUNT.formatted(table), tenant.value()))
                .toList();
    }

    private MoveEngine older() {
        MoveParts p = lab.parts(MoveLab.CONFIG);
        return MoveEngine.of(
                new MoveParts(p.directory(), p.journal(), p.guard(), p.pools(), OLDER, p.clocks(), p.config()));
    }

    /** A child of a tenant table in a schema of its own is under guard, and so it moves; an ignored one stays. */
    @Test
    void inheritanceChildrenMoveWithTheGuardAndIgnoredOnesAreNeverDeleted() {
        MoveReport report = lab.move(tenant, s2);

        assertThat(rows(s2)).containsExactly(1L, 0L, 2L, 1L);
        lab.engine().clean(report.move(), true);
        assertThat(rows(s1)).as("not copied, not deleted").containsExactly(0L, 2L, 0L, 0L);
        assertThat(rows(s2)).containsExactly(1L, 0L, 2L, 1L);
    }

    @Test
    void undoingDoesNotTripOverRowsThatWereLeftOut() {
        lab.run(s2, "INSERT INTO app.memo VALUES (?, 9)", tenant.value());
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.COPY_ROWS));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());

        assertThat(lab.engine().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);

        assertThat(rows(s2)).containsExactly(0L, 1L, 0L, 0L);
        assertThat(rows(s1)).containsExactly(1L, 2L, 2L, 1L);
    }

    @Test
    void processWithAnOlderDeclarationPlansNothing() {
        assertThat(older().plan(tenant, s2).obstacles())
                .allSatisfy(finding -> assertThat(finding.name()).isEqualTo("declaration-differs"))
                .extracting(Finding::shard)
                .containsExactly(s1, s2);
    }

    /** A process that was not restarted takes a move over, knowing fewer tables than the shards. */
    @Test
    void olderProcessThatResumesLeavesNoRowsBehind() {
        lab.run(s1, "SELECT setval('late.number', 700)");
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.EMPTY_TARGET));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());

        MoveReport report = older().resume(plan.move(), MoveListener.NONE);

        assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(rows(s2)).containsExactly(1L, 0L, 2L, 1L);
        assertThat(lab.count(s2, "SELECT nextval('late.number')")).isEqualTo(701);
        older().clean(plan.move(), true);
        assertThat(rows(s1)).containsExactly(0L, 2L, 0L, 0L);
    }

    @Test
    void olderProcessThatRecoversEmptiesTheTargetCompletely() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.COPY_ROWS));
        MovePlan plan = engine.plan(tenant, s2);
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);
        lab.expire(plan.move());

        assertThat(older().recover()).extracting(MoveReport::outcome).containsExactly(MoveReport.Outcome.ABORTED);

        assertThat(rows(s2)).containsExactly(0L, 0L, 0L, 0L);
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    /** Told to the target in the last moment: its guard is complete by the new declaration, but it is not the source's. */
    @Test
    void declarationThatChangesBeforeTheFlipStopsIt() {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);

        assertThatThrownBy(() -> engine.execute(plan, PhaseListener.at(MovePhase.VERIFIED, move -> {
                    try (Connection connection = lab.connect(s2)) {
                        lab.guard.install(connection, SHRUNK, Duration.ofSeconds(5));
                    }
                })))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("tables have changed since the plan");

        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(rows(s1)).containsExactly(1L, 2L, 2L, 1L);
    }
}
