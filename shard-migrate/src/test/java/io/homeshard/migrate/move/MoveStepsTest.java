package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The directory decides which step may follow: out of order, twice, and from two nodes at once. */
class MoveStepsTest {
    /** The way of a move, and the way back. */
    private static final List<MovePhase> FORWARD = List.of(
            MovePhase.PLANNED,
            MovePhase.RESERVED,
            MovePhase.FREEZING,
            MovePhase.FROZEN,
            MovePhase.COPYING,
            MovePhase.VERIFIED,
            MovePhase.FLIPPED,
            MovePhase.ACTIVATED,
            MovePhase.RETAINED,
            MovePhase.CLEANING,
            MovePhase.DONE);

    private static final Set<MovePhase> OWN_STEP = Set.of(MovePhase.PLANNED, MovePhase.FLIPPED, MovePhase.ABORTING);

    private static MoveLab lab;
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());
    private final UUID move = UUID.randomUUID();

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, RoundsLedger.TABLES, RoundsLedger.DDL);
    }

    @AfterAll
    static void close() {
        lab.close();
    }

    @BeforeEach
    void create() throws SQLException {
        lab.tenant(tenant, lab.shard(1));
        assertThat(lab.journal
                        .plan(move, tenant, lab.shard(2), "test", MoveLab.LEASE)
                        .ok())
                .isTrue();
    }

    private MoveTicket ticket() {
        MoveRecord now = lab.journal.find(move).orElseThrow();
        return new MoveTicket(move, now.epoch(), now.attempt());
    }

    private MovePhase phase() {
        return lab.journal.find(move).orElseThrow().phase();
    }

    /** The step that leads to a phase, whatever the phase is now. */
    private Function<MoveTicket, StepResult> to(MovePhase next) {
        return switch (next) {
            case FLIPPED -> lab.journal::flip;
            case ABORTING -> ticket -> lab.journal.abort(ticket, "test");
            case ABORTED ->
                ticket -> lab.journal.advance(ticket, MovePhase.ABORTING, MovePhase.ABORTED, "{}", MoveLab.LEASE);
            default ->
                ticket ->
                        lab.journal.advance(ticket, FORWARD.get(FORWARD.indexOf(next) - 1), next, "{}", MoveLab.LEASE);
        };
    }

    /** In each phase each step is tried: what is not next is refused and changes nothing; the refusal names the phase. */
    @Test
    void e14_stepsOutOfOrderAreRefusedAndSayWhatThePhaseIs() {
        Map<MovePhase, Integer> refusals = new EnumMap<>(MovePhase.class);
        for (MovePhase now : FORWARD) {
            if (now != MovePhase.PLANNED) {
                assertThat(to(now).apply(ticket()).toString()).as("to %s", now).isEqualTo("done");
            }
            for (MovePhase next : steps()) {
                if (mayFollow(now, next)) {
                    continue;
                }
                StepResult answer = to(next).apply(ticket());
                assertThat(phase()).as("%s in %s", next, now).isEqualTo(now);
                if (!answer.ok()) {
                    assertThat(answer.why()).as("%s in %s", next, now).contains(now.name());
                    refusals.merge(now, 1, Integer::sum);
                } else {
                    assertThat(answer.outcome()).isEqualTo(StepResult.Outcome.ALREADY_DONE);
                }
            }
        }
        assertThat(refusals).hasSize(FORWARD.size());
        assertThat(refusals.get(MovePhase.COPYING)).as("among them the flip").isGreaterThan(8);
        assertThat(lab.placement(tenant).shard()).isEqualTo(lab.shard(2));
        assertThat(lab.placement(tenant).generation()).as("flipped once").isEqualTo(2);
    }

    /** All but RETURNING, which only a person orders, by a call of its own: {@code OperatorCallsTest}. */
    private static List<MovePhase> steps() {
        return Stream.of(MovePhase.values())
                .filter(phase -> phase != MovePhase.PLANNED && phase != MovePhase.RETURNING)
                .toList();
    }

    private static boolean mayFollow(MovePhase now, MovePhase next) {
        return next == MovePhase.ABORTING
                ? now.beforeFlip()
                : next != MovePhase.ABORTED && FORWARD.indexOf(next) == FORWARD.indexOf(now) + 1;
    }

    /** After ABORTING nothing leads anywhere but to ABORTED, and from there nothing leads anywhere. */
    @Test
    void e14_nothingFollowsAnAbortedMove() {
        for (MovePhase next : List.of(MovePhase.RESERVED, MovePhase.FREEZING)) {
            assertThat(to(next).apply(ticket()).ok()).isTrue();
        }
        for (MovePhase now : List.of(MovePhase.ABORTING, MovePhase.ABORTED)) {
            assertThat(to(now).apply(ticket()).toString()).isEqualTo("done");
            for (MovePhase next : steps()) {
                if (next == MovePhase.ABORTED || next == MovePhase.ABORTING) {
                    continue;
                }
                assertThat(to(next).apply(ticket()).toString())
                        .as("%s in %s", next, now)
                        .contains("refused", now.name());
            }
        }
        assertThat(lab.placement(tenant).shard()).isEqualTo(lab.shard(1));
        assertThat(lab.placement(tenant).state()).isEqualTo(PlacementState.ACTIVE);
        assertThat(lab.placement(tenant).generation()).isEqualTo(1);
    }

    /** Two nodes take the same step at once under one ticket: one does it, the other hears that it is done. */
    @Test
    void e14_eachStepFromTwoNodesAtOnceHappensOnce() throws Exception {
        for (MovePhase next : FORWARD.subList(1, FORWARD.size())) {
            MoveTicket ticket = ticket();
            List<String> answers = atOnce(() -> to(next).apply(ticket), () -> to(next).apply(ticket));
            assertThat(answers).as("to %s", next).containsExactlyInAnyOrder("done", "already done");
            assertThat(phase()).isEqualTo(next);
        }
        assertThat(lab.placement(tenant).generation()).isEqualTo(2);
    }

    /** Flip against cancel: one wins, and the directory's placement and phase say which. */
    @Test
    void e14_flipAndCancelAtOnce() throws Exception {
        for (MovePhase next : FORWARD.subList(1, FORWARD.indexOf(MovePhase.FLIPPED))) {
            assertThat(to(next).apply(ticket()).ok()).isTrue();
        }
        MoveTicket ticket = ticket();
        List<String> answers =
                atOnce(() -> lab.journal.flip(ticket), () -> lab.journal.cancel(move, "at the same time"));
        boolean flipped = phase() == MovePhase.FLIPPED;
        assertThat(answers.get(flipped ? 0 : 1)).isEqualTo("done");
        assertThat(answers.get(flipped ? 1 : 0)).contains("refused", flipped ? "FLIPPED" : "ABORTING");
        ShardId named = lab.placement(tenant).shard();
        assertThat(named).isEqualTo(lab.shard(flipped ? 2 : 1));
    }

    /** An older node comes with the ticket that it once had. */
    @Test
    void e14_whoWasTakenOverCanDoNothingInAnyPhase() {
        MoveTicket old = ticket();
        assertThat(lab.journal.takeOver(move, "another", MoveLab.LEASE, true)).isPresent();
        for (MovePhase next : steps()) {
            if (OWN_STEP.contains(next) || FORWARD.contains(next) || next == MovePhase.ABORTED) {
                assertThat(to(next).apply(old).toString()).as("to %s", next).contains("refused", "another mover");
            }
        }
        assertThat(phase()).isEqualTo(MovePhase.PLANNED);
    }

    /** A second plan for the tenant, from another node, at the same time. */
    @Test
    void d53_ofTwoPlansAtOnceOneIsTaken() throws Exception {
        TenantId other = TenantId.of("other " + UUID.randomUUID());
        lab.tenant(other, lab.shard(1));
        List<String> answers = atOnce(
                () -> lab.journal.plan(UUID.randomUUID(), other, lab.shard(2), "one", MoveLab.LEASE),
                () -> lab.journal.plan(UUID.randomUUID(), other, lab.shard(2), "two", MoveLab.LEASE));
        assertThat(answers).filteredOn("done"::equals).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> !answer.equals("done"))
                .singleElement()
                .asString()
                .contains("the tenant has an unfinished move", "PLANNED");
    }

    private interface Node {
        StepResult run();
    }

    private static List<String> atOnce(Node one, Node two) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        List<CompletableFuture<String>> nodes = Stream.of(one, two)
                .map(node -> CompletableFuture.supplyAsync(() -> {
                    try {
                        start.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return node.run().toString();
                }))
                .toList();
        return List.of(nodes.get(0).get(), nodes.get(1).get());
    }
}
