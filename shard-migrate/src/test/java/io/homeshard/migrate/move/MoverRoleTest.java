package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mover that is no superuser needs what docs/mover-role.md lists, all of it, and nothing else. */
class MoverRoleTest {
    private static final TenantSchema TABLES = TenantSchema.tenantColumn("tenant_id")
            .inSchemas("app")
            .reference("app.kind")
            .build();
    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE SEQUENCE app.numbers;
            CREATE TABLE app.kind (code text PRIMARY KEY);
            INSERT INTO app.kind VALUES ('red');
            CREATE TABLE app.doc (tenant_id text NOT NULL, id int NOT NULL, n bigint DEFAULT nextval('app.numbers'),
              kind text REFERENCES app.kind, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.ev (tenant_id text NOT NULL, id int NOT NULL, PRIMARY KEY (tenant_id, id))
              PARTITION BY HASH (id);
            CREATE TABLE app.ev_0 PARTITION OF app.ev FOR VALUES WITH (MODULUS 1, REMAINDER 0);
            CREATE TABLE app.secret (tenant_id text PRIMARY KEY, x text);
            ALTER TABLE app.secret ENABLE ROW LEVEL SECURITY;
            ALTER TABLE app.secret FORCE ROW LEVEL SECURITY;
            CREATE POLICY own ON app.secret USING (tenant_id = current_setting('app.tenant_id', true));
            """;
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final String PLAIN = "hs_plain_" + RUN;
    private static final String REPLICA = "hs_replica_" + RUN;

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
    }

    @AfterAll
    static void close() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection owner = lab.connect(shard)) {
                for (String role : List.of(PLAIN, REPLICA)) {
                    grant(shard, role, false);
                    MoverRole.drop(owner, role);
                }
            }
        }
        lab.close();
    }

    private static List<String> grant(ShardId shard, String role, boolean mayReplicate) throws SQLException {
        try (Connection owner = lab.connect(shard)) {
            return MoverRole.grant(owner, role, mayReplicate);
        }
    }

    @BeforeEach
    void create() throws SQLException {
        lab.tenant(tenant, s1);
        String t = tenant.value();
        lab.run(s1, "INSERT INTO app.doc SELECT ?, g, nextval('app.numbers'), 'red' FROM generate_series(1, 3) g", t);
        lab.run(s1, "INSERT INTO app.ev SELECT ?, g FROM generate_series(1, 3) g", t);
        lab.run(s1, "INSERT INTO app.secret VALUES (?, 'x')", t);
    }

    /** There and back again and cleaned: everything that a mover does. */
    @Test
    void listedGrantsAreEnoughForWholeMoves() throws SQLException {
        grant(s1, PLAIN, false);
        grant(s2, PLAIN, false);
        MoveEngine engine = lab.engineAs(PLAIN);

        MovePlan plan = engine.plan(tenant, s2);
        assertThat(plan.obstacles()).isEmpty();
        MoveReport there = engine.execute(plan, MoveListener.NONE);
        MoveReport back = engine.execute(engine.plan(tenant, s1), MoveListener.NONE);
        engine.clean(back.move(), true);

        assertThat(there.rows()).isEqualTo(7);
        assertThat(back.rows()).isEqualTo(7);
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThat(lab.count(s2, "SELECT count(*) FROM app.secret WHERE tenant_id = ?", tenant.value()))
                .isZero();
    }

    @Test
    void eachOfThemIsNeededAndNamedWhenItIsMissing() throws SQLException {
        grant(s1, PLAIN, false);
        List<String> grants = grant(s2, PLAIN, false);
        MoveEngine engine = lab.engineAs(PLAIN);
        assertThat(grants).hasSizeGreaterThan(12);
        for (String grant : grants) {
            lab.run(s2, MoverRole.taken(grant));
            try {
                List<Finding> findings = engine.plan(tenant, s2).obstacles();

                assertThat(findings).as(grant).isNotEmpty().allSatisfy(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
                    assertThat(finding.name()).isIn("privilege-missing", "row-security");
                    assertThat(finding.shard()).isEqualTo(s2);
                });
                assertThat(findings)
                        .as(grant)
                        .anySatisfy(finding ->
                                assertThat(finding.remedy().replace("\"", "")).contains(grant));
            } finally {
                lab.run(s2, grant);
            }
        }
        assertThat(engine.plan(tenant, s2).obstacles()).isEmpty();
    }

    /** The source needs less: rows come only to the target. */
    @Test
    void sourceIsOnlyReadAndCleaned() throws SQLException {
        grant(s1, PLAIN, false);
        grant(s2, PLAIN, false);
        lab.run(s1, "REVOKE INSERT ON app.doc, app.ev, app.secret FROM " + PLAIN);
        assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles()).isEmpty();
        lab.run(s1, "REVOKE DELETE ON app.ev_0 FROM " + PLAIN);
        assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles())
                .singleElement()
                .hasToString("ERROR privilege-missing - shard s1, table app.ev_0: role " + PLAIN
                        + " lacks DELETE (GRANT DELETE ON \"app\".\"ev_0\" TO " + PLAIN + ")");
        grant(s1, PLAIN, false);
    }

    /** The policy would hide the rows; the session says so itself, should a plan not have been asked. */
    @Test
    void d11_forcedRowSecurityIsFoundAndFailsLoudly() throws SQLException {
        grant(s1, PLAIN, false);
        grant(s2, PLAIN, false);
        MovePlan plan = lab.engineAs(PLAIN).plan(tenant, s2);
        lab.run(s1, "ALTER ROLE " + PLAIN + " NOBYPASSRLS");
        lab.run(s2, "ALTER ROLE " + PLAIN + " NOBYPASSRLS");
        try {
            assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles())
                    .extracting(finding -> finding.name() + " " + finding.shard() + " " + finding.table())
                    .containsExactly("row-security s1 app.secret", "row-security s2 app.secret");
            assertThatThrownBy(() -> lab.engineAs(PLAIN).execute(plan, MoveListener.NONE))
                    .isInstanceOf(MoveException.class);
            assertThat(lab.owners(tenant)).containsExactly(s1);
        } finally {
            lab.run(s1, "ALTER ROLE " + PLAIN + " BYPASSRLS");
            lab.run(s2, "ALTER ROLE " + PLAIN + " BYPASSRLS");
        }
    }

    /** Rows that are only compared must not be hidden either. */
    @Test
    void d11_rowSecurityOfAReferenceTableIsFoundToo() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            grant(shard, PLAIN, false);
            lab.run(shard, "ALTER ROLE " + PLAIN + " NOBYPASSRLS");
            lab.run(shard, "ALTER TABLE app.kind ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
            lab.run(shard, "ALTER TABLE app.secret DISABLE ROW LEVEL SECURITY");
        }
        try {
            assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles())
                    .extracting(finding -> finding.name() + " " + finding.shard() + " " + finding.table())
                    .containsExactly("row-security s1 app.kind", "row-security s2 app.kind");
        } finally {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "ALTER TABLE app.kind DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY");
                lab.run(shard, "ALTER TABLE app.secret ENABLE ROW LEVEL SECURITY");
                lab.run(shard, "ALTER ROLE " + PLAIN + " BYPASSRLS");
            }
        }
    }

    /** Without the right the plan is refused and says which trigger and which right; with it the trigger stays silent. */
    @Test
    void d9_triggerIsRefusedOrKeptFromFiring() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            lab.run(
                    shard,
                    "CREATE FUNCTION app.stamp() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.n := -1; RETURN NEW; END'");
            lab.run(shard, "CREATE TRIGGER stamp BEFORE INSERT ON app.doc FOR EACH ROW EXECUTE FUNCTION app.stamp()");
            grant(shard, PLAIN, false);
        }
        try {
            assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles())
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.name()).isEqualTo("trigger-fires");
                        assertThat(finding.problem()).contains("stamp");
                        assertThat(finding.remedy())
                                .contains("GRANT SET ON PARAMETER session_replication_role TO ", PLAIN);
                    });
            grant(s1, REPLICA, true);
            grant(s2, REPLICA, true);

            MovePlan plan = lab.engineAs(REPLICA).plan(tenant, s2);

            assertThat(plan.obstacles()).isEmpty();
            assertThat(plan.load()).isEqualTo(LoadMode.REPLICA);
            assertThat(plan.findings()).extracting(Finding::name).contains("trigger-silenced");
            lab.engineAs(REPLICA).execute(plan, MoveListener.NONE);
            String stamped =
                    "SELECT count(*) FILTER (WHERE n < 0) || ' of ' || count(*) FROM app.doc WHERE tenant_id = ?";
            assertThat(lab.query(s2, stamped, tenant.value())).containsExactly("0 of 3");
        } finally {
            for (ShardId shard : List.of(s1, s2)) {
                lab.run(shard, "DROP FUNCTION app.stamp() CASCADE");
            }
        }
    }

    @Test
    void limitsOfConnections() throws SQLException {
        grant(s1, PLAIN, false);
        grant(s2, PLAIN, false);
        lab.run(s2, "ALTER ROLE " + PLAIN + " CONNECTION LIMIT 3");
        lab.run(s1, "ALTER ROLE " + PLAIN + " CONNECTION LIMIT -1");
        try {
            assertThat(lab.engineAs(PLAIN).plan(tenant, s2).obstacles())
                    .extracting(Finding::name)
                    .containsOnly("connections");
        } finally {
            lab.run(s2, "ALTER ROLE " + PLAIN + " CONNECTION LIMIT -1");
        }
    }
}
