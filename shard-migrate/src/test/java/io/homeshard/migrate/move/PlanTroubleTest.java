package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would stop a move on its way, or the plan itself, is told by the plan: checks, locks, names of tenants. */
class PlanTroubleTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .ignore("app.totals")
            .build();
    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.totals (id int PRIMARY KEY);
            CREATE TABLE app.notes (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.orders (tenant_id bigint NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id));
            """;
    private static final String ROLE =
            "hs_checks_" + UUID.randomUUID().toString().substring(0, 8);
    private static final TenantId NUMBERED = TenantId.of("42");

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        lab.tenant(NUMBERED, s1);
        lab.run(s1, "INSERT INTO app.orders VALUES (42, 1), (42, 2)");
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection owner = lab.connect(shard)) {
                MoverRole.grant(owner, ROLE, false);
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection owner = lab.connect(shard)) {
                MoverRole.drop(owner, ROLE);
            }
        }
        lab.close();
    }

    private static MoveConfig checking(String... queries) {
        List<MoveCheck> checks = new ArrayList<>();
        for (String query : queries) {
            checks.add(new MoveCheck("check " + (checks.size() + 1), query));
        }
        return MoveLab.CONFIG.checks(checks);
    }

    private static List<Finding> obstacles(MoveEngine engine) {
        return engine.plan(NUMBERED, s2).obstacles();
    }

    @Test
    void checksThatCannotBeRunAreNamedWithShardAndReasonAndStopNothingElse() {
        MoveEngine engine = lab.engine(checking(
                "SELECT count(*) FROM app.orders WHERE tenant_id = ? GROUPING BY 1",
                "SELECT count(*) FROM orders WHERE tenant_id = ?",
                "SELECT count(*) FROM app.orders WHERE tenant_id = ?"));

        MovePlan plan = engine.plan(NUMBERED, s2);

        assertThat(plan.obstacles())
                .extracting(f -> f.severity() + " " + f.name() + " " + f.shard() + " " + f.problem())
                .containsExactly(
                        "ERROR move-check-fails s1 check check 1 cannot be run: syntax error at or near \"GROUPING\""
                                + " (sqlstate=42601)",
                        "ERROR move-check-fails s2 check check 1 cannot be run: syntax error at or near \"GROUPING\""
                                + " (sqlstate=42601)",
                        "ERROR move-check-fails s1 check check 2 cannot be run: relation \"orders\" does not exist"
                                + " (sqlstate=42P01)",
                        "ERROR move-check-fails s2 check check 2 cannot be run: relation \"orders\" does not exist"
                                + " (sqlstate=42P01)");
        assertThat(plan.rows()).as("estimated all the same").isPositive();
        assertThatThrownBy(() -> engine.execute(plan, MoveListener.NONE)).hasMessageContaining("may not run");
        assertThat(lab.journal.ofTenant(NUMBERED)).isEmpty();
    }

    /** Rows come to the target while the tenant is frozen: until then it answers otherwise, and that is no fault. */
    @Test
    void answersThatDifferAreNoFinding() {
        assertThat(obstacles(lab.engine(checking("SELECT sum(id) FROM app.orders WHERE tenant_id = ?"))))
                .isEmpty();
    }

    @Test
    void whatADatabaseSaysOfValuesIsNotRepeated() {
        assertThat(obstacles(lab.engine(checking("SELECT ('secret ' || ?::text)::int"))))
                .hasSize(2)
                .allSatisfy(finding -> {
                    assertThat(finding.name()).isEqualTo("move-check-fails");
                    assertThat(finding.toString()).contains("sqlstate=22P02").doesNotContain("secret");
                });
    }

    @Test
    void checkThatWritesIsRefused() {
        lab.run(s1, "CREATE SEQUENCE app.taken");
        lab.run(s2, "CREATE SEQUENCE app.taken");
        try {
            assertThat(obstacles(lab.engine(checking("SELECT nextval('app.taken'), ?::text"))))
                    .hasSize(2)
                    .allSatisfy(finding -> assertThat(finding.problem())
                            .contains("cannot execute nextval() in a read-only transaction"));
        } finally {
            lab.run(s1, "DROP SEQUENCE app.taken");
            lab.run(s2, "DROP SEQUENCE app.taken");
        }
    }

    @Test
    void rightThatOnlyACheckNeedsIsMissedOnTheShardThatLacksIt() {
        MoveParts p = lab.parts(checking("SELECT count(*) FROM app.totals WHERE id::text = ?"));
        MoveEngine engine = MoveEngine.of(new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                new PlainPools(ROLE, MoverRole.PASSWORD),
                p.tables(),
                p.clocks(),
                p.config()));
        lab.run(s1, "GRANT SELECT ON app.totals TO " + ROLE);

        assertThat(obstacles(engine)).singleElement().satisfies(finding -> {
            assertThat(finding.name()).isEqualTo("move-check-fails");
            assertThat(finding.shard()).isEqualTo(s2);
            assertThat(finding.problem()).contains("check 1", "permission denied for table totals");
        });
        lab.run(s2, "GRANT SELECT ON app.totals TO " + ROLE);
        assertThat(obstacles(engine)).isEmpty();
    }

    @Test
    void checkThatTakesTooLongIsSaidToBeUnchecked() {
        StepTimes steps = MoveLab.CONFIG.steps();
        MoveConfig brief = checking("SELECT pg_sleep(60), ?::text", "SELECT count(*) FROM orders WHERE tenant_id = ?")
                .steps(new StepTimes(steps.reachPatience(), steps.lock(), steps.answer(), Duration.ofSeconds(1)));

        List<Finding> findings = obstacles(lab.engine(brief));

        assertThat(findings)
                .filteredOn(finding -> finding.problem().startsWith("check check 1 took longer than 1000 ms"))
                .hasSize(2)
                .allSatisfy(finding -> {
                    assertThat(finding.name()).isEqualTo("unchecked");
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
                });
        assertThat(findings)
                .as("the next is tried all the same")
                .filteredOn(finding -> finding.name().equals("move-check-fails"))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCK TABLE app.orders IN ACCESS EXCLUSIVE MODE", "REINDEX INDEX app.orders_pkey"})
    void tableThatSomebodyHasLockedIsNamedWithWho(String locks) throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection somebody = lab.connect(shard)) {
                somebody.setAutoCommit(false);
                MoveLab.execute(somebody, locks);
                String pid = pid(somebody);

                assertThat(obstacles(impatient())).singleElement().satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                    assertThat(finding.name()).isEqualTo("table-locked");
                    assertThat(finding.shard()).isEqualTo(shard);
                    assertThat(finding.table()).hasToString("app.orders");
                    assertThat(finding.problem()).contains("the session with pid " + pid + " holds");
                    assertThat(finding.remedy()).contains("pg_terminate_backend(" + pid + ")");
                });
                somebody.rollback();
            }
        }
        assertThat(obstacles(impatient())).isEmpty();
    }

    @Test
    void tableThatAPreparedTransactionHasLockedIsNamed() throws SQLException {
        try (Connection somebody = lab.connect(s1)) {
            somebody.setAutoCommit(false);
            MoveLab.execute(somebody, "LOCK TABLE app.notes IN ACCESS EXCLUSIVE MODE");
            MoveLab.execute(somebody, "PREPARE TRANSACTION 'locks'");
        }
        try {
            assertThat(obstacles(impatient())).singleElement().satisfies(finding -> {
                assertThat(finding.name()).isEqualTo("table-locked");
                assertThat(finding.table()).hasToString("app.notes");
                assertThat(finding.problem()).startsWith("a prepared transaction holds");
                assertThat(finding.remedy()).contains("ROLLBACK PREPARED");
            });
        } finally {
            lab.run(s1, "ROLLBACK PREPARED 'locks'");
        }
    }

    private static MoveEngine impatient() {
        StepTimes steps = MoveLab.CONFIG.steps();
        return lab.engine(MoveLab.CONFIG.steps(
                new StepTimes(steps.reachPatience(), Duration.ofMillis(200), steps.answer(), steps.statement())));
    }

    private static String pid(Connection connection) throws SQLException {
        return Jdbc.one(connection, "SELECT pg_backend_pid()", row -> row.getString(1));
    }

    /** No number at all, and one that is too large. */
    @ParameterizedTest
    @ValueSource(strings = {"acme", "99999999999999999999"})
    void tenantWhoseNameIsNoValueOfAColumnsTypeIsToldSo(String name) throws SQLException {
        TenantId tenant = TenantId.of(name);
        lab.tenant(tenant, s1);

        assertThat(lab.engine().plan(tenant, s2).obstacles()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.name()).isEqualTo("tenant-type-mismatch");
            assertThat(finding.shard()).isEqualTo(s1);
            assertThat(finding.table()).hasToString("app.orders");
            assertThat(finding.column()).isEqualTo("tenant_id");
            assertThat(finding.problem()).contains("type bigint").doesNotContain(name);
            assertThat(finding.remedy()).contains("make the column text");
        });
    }
}
