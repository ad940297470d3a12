package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.homeshard.directory.DirectoryMending;
import io.homeshard.guard.MoverToken;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.gather.Gather;
import io.homeshard.migrate.gather.GatherException;
import io.homeshard.migrate.gather.GatherParts;
import io.homeshard.migrate.gather.GatherReport;
import io.homeshard.migrate.gather.Handling;
import io.homeshard.migrate.gather.StrayTable;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import io.homeshard.pool.ShardPools;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows on a shard that does not own their tenant are found, compared, and brought home or put aside. */
class GatherTest {
    private static final ShardId S1 = ShardId.of("s1");
    private static final ShardId S2 = ShardId.of("s2");
    private static MoveLab lab;

    private final Set<ShardId> cutOff = ConcurrentHashMap.newKeySet();
    private TenantId tenant = TenantId.of("acme");

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(
                2, TenantSchema.tenantColumn("tenant_id").inSchemas("app").build(), """
                CREATE SCHEMA app;
                CREATE TABLE app.notes (tenant_id text NOT NULL, id int NOT NULL, body text, parent int,
                  length int GENERATED ALWAYS AS (length(body)) STORED, PRIMARY KEY (tenant_id, id),
                  FOREIGN KEY (tenant_id, parent) REFERENCES app.notes);
                CREATE TABLE app.replies (tenant_id text NOT NULL, note int NOT NULL, text text NOT NULL,
                  PRIMARY KEY (tenant_id, note, text), FOREIGN KEY (tenant_id, note) REFERENCES app.notes);
                CREATE TABLE app.log (tenant_id text NOT NULL, line text NOT NULL);
                CREATE INDEX ON app.log (tenant_id);
                """);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @BeforeEach
    void plant() throws SQLException {
        tenant = TenantId.of("acme-" + UUID.randomUUID());
        lab.tenant(tenant, S1);
        rows(S1, "INSERT INTO app.notes (tenant_id, id, body) VALUES ($1, 1, 'a'), ($1, 2, 'b')");
        rows(S1, "INSERT INTO app.log VALUES ($1, 'x')");
        lab.run(
                S2,
                "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES (?, 1, 'owned')",
                tenant.value());
        rows(
                S2,
                "INSERT INTO app.notes (tenant_id, id, body, parent) VALUES ($1, 4, 'd', NULL), ($1, 3, 'c', 4),"
                        + " ($1, 1, 'a', NULL), ($1, 2, 'B', 3)");
        rows(S2, "INSERT INTO app.replies VALUES ($1, 3, 'r')");
        rows(S2, "INSERT INTO app.log VALUES ($1, 'x'), ($1, 'y')");
        lab.run(S2, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", tenant.value());
    }

    private void rows(ShardId shard, String sql) {
        lab.run(shard, sql.replace("$1", "'" + tenant.value() + "'"));
    }

    @Test
    void listingComparesAndChangesNothing() {
        GatherReport report = gather(Handling.LIST);

        assertThat(report.gathering()).isNull();
        assertThat(report.strays())
                .extracting(
                        t -> t.table().name(),
                        StrayTable::rows,
                        StrayTable::identical,
                        StrayTable::differing,
                        StrayTable::missing)
                .containsExactlyInAnyOrder(
                        tuple("notes", 4L, 1L, 1L, 2L), tuple("replies", 1L, 0L, 0L, 1L), tuple("log", 2L, 1L, 0L, 1L));
        assertThat(count(S2, "app.notes")).isEqualTo(4);
        assertThat(count(S1, "app.notes")).isEqualTo(2);
        assertThat(lab.state(S2, tenant)).isNull();
    }

    /** Without a key a row is told by its content: it comes as often as it lies there, whatever the pages. */
    @Test
    void rowsWithoutKeyComeHomeAsOftenAsTheyAre() throws SQLException {
        lab.run(
                S2,
                "INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES (?, 1, 'owned')",
                tenant.value());
        rows(S2, "INSERT INTO app.log SELECT $1, 'many' FROM generate_series(1, 700)");
        rows(S2, "INSERT INTO app.log SELECT $1, 'n' || i % 400 FROM generate_series(1, 800) i");
        lab.run(S2, "DELETE FROM homeshard.ownership WHERE tenant_id = ?", tenant.value());

        gather(Handling.BRING_HOME);

        assertThat(lab.query(
                        S1,
                        "SELECT string_agg(DISTINCT n || ' times', ', ') || ' of ' || count(*) FROM (SELECT line, count(*) n"
                                + " FROM app.log WHERE tenant_id = ? AND line LIKE 'n%' GROUP BY 1) x",
                        tenant.value()))
                .containsExactly("2 times of 400");
        assertThat(lab.count(S1, "SELECT count(*) FROM app.log WHERE tenant_id = ? AND line = 'many'", tenant.value()))
                .isEqualTo(700);
        assertThat(count(S2, "app.log")).isZero();
    }

    /** The home's lock, for which writers wait, ends with the process that holds it, also when that only hangs. */
    @Test
    void aSessionThatWritesMayNotIdle() {
        List<String> limits = new ArrayList<>();
        gather(Handling.BRING_HOME, new AskedPools(lab.parts(MoveLab.CONFIG).pools(), limits));
        assertThat(limits).isNotEmpty().containsOnly("10s");
    }

    @Test
    void whatIsMissingComesHomeAndWhatDiffersIsPutAside() throws SQLException {
        GatherReport report = gather(Handling.BRING_HOME);

        assertThat(lab.query(S1, "SELECT id || body FROM app.notes WHERE tenant_id = ? ORDER BY id", tenant.value()))
                .containsExactly("1a", "2b", "3c", "4d");
        assertThat(lab.query(S1, "SELECT line FROM app.log WHERE tenant_id = ? ORDER BY 1", tenant.value()))
                .containsExactly("x", "y");
        assertThat(count(S1, "app.replies")).isOne();
        for (String table : List.of("app.notes", "app.replies", "app.log")) {
            assertThat(count(S2, table)).isZero();
        }
        assertThat(lab.query(
                        S2,
                        "SELECT (content::app.notes).body || ': ' || reason FROM homeshard.put_aside WHERE tenant_id = ?",
                        tenant.value()))
                .containsExactly("B: the home has other values under its key");
        assertThat(lab.state(S2, tenant)).isNull();
        assertThat(lab.owners(tenant)).containsExactly(S1);
        assertThat(report.strays().stream().mapToLong(StrayTable::broughtHome).sum())
                .isEqualTo(4);
        assertThat(report.strays().stream().mapToLong(StrayTable::putAside).sum())
                .isOne();
        assertThat(kept(report.gathering())).contains("\"found\"", "\"homeBefore\"", "\"homeAfter\"");
        assertThat(report.homeAfter()).isNotEqualTo(report.homeBefore());
        assertThat(gather(Handling.BRING_HOME).strays()).isEmpty();
    }

    @Test
    void puttingAsideLeavesTheHomeAlone() {
        GatherReport report = gather(Handling.PUT_ASIDE);

        assertThat(report.homeAfter()).isEqualTo(report.homeBefore());
        assertThat(report.strays().stream().mapToLong(StrayTable::putAside).sum())
                .isEqualTo(5);
        assertThat(count(S2, "app.notes")).isZero();
        assertThat(count(S2, "homeshard.put_aside")).isEqualTo(5);
    }

    @Test
    void aGatheringThatWasBrokenOffIsTakenUp() throws SQLException {
        UUID reservation =
                UUID.nameUUIDFromBytes(("homeshard gathering " + tenant.value()).getBytes(StandardCharsets.UTF_8));
        long epoch = DirectoryMending.jdbc(lab.directoryDataSource).liftEpochs(0);
        try (Connection shard = lab.connect(S2)) {
            assertThat(lab.guard
                            .reserve(shard, new MoverToken(tenant, reservation, epoch, 1), 1)
                            .ok())
                    .isTrue();
        }
        // reconciliation does not take what it cannot prove to be a copy
        CutOffPools.reconciliation(lab, cutOff).reconcile();
        assertThat(count(S2, "app.notes")).isEqualTo(4);

        gather(Handling.BRING_HOME);

        assertThat(count(S2, "app.notes")).isZero();
        assertThat(count(S1, "app.notes")).isEqualTo(4);
        assertThat(lab.state(S2, tenant)).isNull();
    }

    /** At each commit that wrote something, on either shard: called again, it ends as if it had never stopped. */
    @ParameterizedTest
    @EnumSource(CrashPoint.When.class)
    void aGatheringThatDiesHalfWayIsTakenUpByTheNextCall(CrashPoint.When when) throws SQLException {
        int died = 0;
        boolean alive = false;
        while (!alive) {
            plant();
            CommitTrap trap = new CommitTrap(CutOffPools.parts(lab, cutOff).pools(), when, died + 1);
            try {
                gather(Handling.BRING_HOME, trap);
                alive = true;
            } catch (CommitTrap.Dead e) {
                died++;
            }
            gather(Handling.BRING_HOME);
            assertGathered();
        }
        assertThat(died).as("commits beside which it died").isBetween(6, 30);
    }

    private void assertGathered() {
        assertThat(lab.query(S1, "SELECT id || body FROM app.notes WHERE tenant_id = ? ORDER BY id", tenant.value()))
                .containsExactly("1a", "2b", "3c", "4d");
        assertThat(lab.query(S1, "SELECT line FROM app.log WHERE tenant_id = ? ORDER BY 1", tenant.value()))
                .containsExactly("x", "y");
        assertThat(count(S1, "app.replies")).isOne();
        for (String table : List.of("app.notes", "app.replies", "app.log")) {
            assertThat(count(S2, table)).isZero();
        }
        assertThat(lab.query(
                        S2,
                        "SELECT (content::app.notes).body FROM homeshard.put_aside WHERE tenant_id = ?",
                        tenant.value()))
                .containsExactly("B");
        assertThat(lab.state(S2, tenant)).isNull();
        assertThat(lab.owners(tenant)).containsExactly(S1);
    }

    @Test
    void oldRowsOfAMoveAreNoStrays() {
        gather(Handling.PUT_ASIDE);
        lab.move(tenant, S2);

        GatherReport report = gather(Handling.BRING_HOME);

        assertThat(report.strays()).isEmpty();
        assertThat(report.skipped().get(S1)).contains("old rows of move");
        assertThat(count(S1, "app.notes")).isEqualTo(2);
    }

    @Test
    void aShardThatDoesNotAnswerIsNamed() {
        cutOff.add(S2);

        assertThat(gather(Handling.BRING_HOME).skipped()).containsKey(S2);
    }

    @Test
    void aTenantThatIsMovingIsNotGathered() {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(Step.RESERVE));
        MovePlan plan = engine.plan(tenant, S2);
        MovePlan accepted = plan.accepting(
                plan.obstacles().stream().map(Finding::name).distinct().toArray(String[]::new));
        assertThatThrownBy(() -> engine.execute(accepted, MoveListener.NONE)).isInstanceOf(SimulatedCrash.class);

        assertThatThrownBy(() -> gather(Handling.BRING_HOME))
                .isInstanceOf(GatherException.class)
                .hasMessageContaining("not at rest");
        lab.expire(plan.move());
        lab.engine().recover();
    }

    private GatherReport gather(Handling handling) {
        return gather(handling, CutOffPools.parts(lab, cutOff).pools());
    }

    private GatherReport gather(Handling handling, ShardPools pools) {
        MoveParts parts = lab.parts(MoveLab.CONFIG);
        return Gather.of(new GatherParts(
                        parts.directory(),
                        parts.journal(),
                        DirectoryMending.jdbc(lab.directoryDataSource),
                        parts.guard(),
                        pools,
                        parts.tables(),
                        parts.clocks(),
                        Duration.ofSeconds(20)))
                .run(tenant, handling);
    }

    private static String kept(@Nullable UUID gathering) throws SQLException {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            return Jdbc.one(
                    directory,
                    "SELECT report::text FROM homeshard.gathering WHERE id = ? AND ended_at IS NOT NULL",
                    row -> row.getString(1),
                    gathering);
        }
    }

    private long count(ShardId shard, String table) {
        return lab.count(shard, "SELECT count(*) FROM " + table + " WHERE tenant_id = ?", tenant.value());
    }
}
