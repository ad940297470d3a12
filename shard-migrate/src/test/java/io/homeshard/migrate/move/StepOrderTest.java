package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.guard.MoverToken;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Steps out of order, and from two nodes at once: each is refused, and says in which state it found things. That each
 * may be repeated is in {@code MoverFencingTest}.
 */
class StepOrderTest {
    private static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.entries (tenant_id text NOT NULL, id text NOT NULL, PRIMARY KEY (tenant_id, id));
            """;

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
    static void close() {
        lab.close();
    }

    @BeforeEach
    void create() throws SQLException {
        lab.tenant(tenant, s1);
        lab.run(s1, "INSERT INTO app.entries SELECT ?, g FROM generate_series(1, 5) g", tenant.value());
    }

    private MoveRecord planned() {
        UUID move = UUID.randomUUID();
        assertThat(lab.journal.plan(move, tenant, s2, "test", MoveLab.LEASE).ok())
                .isTrue();
        return lab.journal.find(move).orElseThrow();
    }

    @Test
    @DisplayName("e14: the flip is refused in each phase but VERIFIED, and names the phase")
    void e14_flipTooEarly() {
        MoveRecord move = planned();
        MoveTicket ticket = MoveSession.ticket(move);
        MovePhase[] phases = MovePhase.values();
        for (int i = 0; phases[i] != MovePhase.VERIFIED; i++) {
            assertThat(lab.journal.flip(ticket)).hasToString("refused: the phase is " + phases[i] + ", not VERIFIED");
            assertThat(lab.journal
                            .advance(ticket, MovePhase.COPYING, MovePhase.VERIFIED, "{}", MoveLab.LEASE)
                            .ok())
                    .as("VERIFIED from %s", phases[i])
                    .isEqualTo(phases[i] == MovePhase.COPYING);
            if (phases[i + 1] != MovePhase.VERIFIED) {
                assertThat(lab.journal
                                .advance(ticket, phases[i], phases[i + 1], "{}", MoveLab.LEASE)
                                .ok())
                        .isTrue();
            }
        }
        assertThat(lab.placement(tenant).shard()).isEqualTo(s1);
        MoveTicket stranger = new MoveTicket(move.id(), move.epoch() - 1, move.attempt());
        assertThat(lab.journal.flip(stranger).ok()).as("with another's ticket").isFalse();
    }

    @Test
    @DisplayName("e14: shards refuse steps that are out of order, and name the state")
    void e14_shardsRefuse() throws SQLException {
        MoveRecord move = planned();
        MoverToken token = new MoverToken(tenant, move.id(), move.epoch(), move.attempt());
        try (Connection source = lab.connect(s1);
                Connection target = lab.connect(s2)) {
            assertThat(List.of(
                            lab.guard.markVerified(target, token, 2),
                            lab.guard.activate(target, token, 2),
                            lab.guard.markMoved(source, token, 1, s2)))
                    .allMatch(result -> result.outcome() == StepResult.Outcome.REFUSED);
            assertThat(lab.guard.reserve(target, token, 2).ok()).isTrue();
            assertThat(lab.guard.activate(target, token, 2).ok())
                    .as("without the marker")
                    .isFalse();
        }
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    @Test
    @DisplayName(
            "e14 d53: of two nodes that move the tenant at once, one wins; the other is told of the unfinished move")
    void e14_d53_twoNodes() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<String>> nodes = List.of(node(start), node(start));

        List<String> results =
                nodes.stream().map(CompletableFuture::join).sorted().toList();

        assertThat(results.get(0)).isEqualTo("MOVED");
        assertThat(results.get(1)).contains("was not begun").containsAnyOf("unfinished move (phase=", "already");
        assertThat(lab.owners(tenant)).containsExactly(s2);
        assertThat(lab.count(s2, "SELECT count(*) FROM app.entries WHERE tenant_id = ?", tenant.value()))
                .isEqualTo(5);
    }

    private CompletableFuture<String> node(CyclicBarrier start) {
        MoveEngine engine = lab.engine();
        MovePlan plan = engine.plan(tenant, s2);
        return together(start, () -> {
            try {
                return engine.execute(plan, MoveListener.NONE).outcome().toString();
            } catch (MoveException e) {
                return "refused: " + e.getMessage();
            }
        });
    }

    @Test
    @DisplayName("e14: of two flips at once one is done and the other already done")
    void e14_twoFlips() throws Exception {
        MoveEngine engine = lab.engine(MoveLab.CONFIG, SimulatedCrash.at(CrashPoint.before(Step.FLIP)));
        MovePlan plan = engine.plan(tenant, s2);
        try {
            engine.execute(plan, MoveListener.NONE);
        } catch (SimulatedCrash e) {
            assertThat(lab.journal.find(plan.move()).orElseThrow().phase()).isEqualTo(MovePhase.VERIFIED);
        }
        MoveTicket ticket = MoveSession.ticket(lab.journal.find(plan.move()).orElseThrow());
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<String>> flips = List.of(
                together(start, () -> lab.journal.flip(ticket).toString()),
                together(start, () -> lab.journal.flip(ticket).toString()));

        assertThat(flips.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder("done", "already done");
        assertThat(lab.placement(tenant).generation()).isEqualTo(2);
    }

    private static CompletableFuture<String> together(CyclicBarrier start, Callable<String> call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                start.await();
                return call.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
