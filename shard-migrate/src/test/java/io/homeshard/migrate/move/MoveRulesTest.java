package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.OwnershipState;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What goes wrong when a rule of the protocol is missing: it is taken out of its function, and the history that it is
 * there for ends with two owners, none, or a write that is lost. With the rule in place the same history ends well.
 */
class MoveRulesTest {
    private static final Duration TRY = Duration.ofMillis(200);
    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());
    private final UUID move = UUID.randomUUID();

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, RoundsLedger.TABLES, RoundsLedger.DDL);
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
        write(s1, 1);
    }

    private void write(ShardId shard, int id) {
        lab.run(shard, "INSERT INTO app.entries VALUES (?, ?, 0)", tenant.value(), id);
    }

    private long rows(ShardId shard) {
        return lab.count(shard, "SELECT count(*) FROM app.entries WHERE tenant_id = ?", tenant.value());
    }

    /** A move that is run by hand, one step after the other. */
    private final class Steps implements AutoCloseable {
        final MoveTicket ticket;
        final MoverToken token;
        final Connection source = lab.connect(s1);
        final Connection target = lab.connect(s2);
        private MovePhase phase = MovePhase.PLANNED;

        Steps() throws SQLException {
            assertThat(lab.journal.plan(move, tenant, s2, "test", MoveLab.LEASE).ok())
                    .isTrue();
            MoveRecord planned = lab.journal.find(move).orElseThrow();
            ticket = new MoveTicket(move, planned.epoch(), planned.attempt());
            token = new MoverToken(tenant, move, planned.epoch(), planned.attempt());
        }

        Steps enter(MovePhase... phases) {
            for (MovePhase next : phases) {
                assertThat(lab.journal
                                .advance(ticket, phase, next, "{}", MoveLab.LEASE)
                                .toString())
                        .isEqualTo("done");
                phase = next;
            }
            return this;
        }

        Steps frozen() throws SQLException {
            enter(MovePhase.RESERVED);
            assertThat(lab.guard.reserve(target, token, 2).ok()).isTrue();
            enter(MovePhase.FREEZING);
            assertThat(lab.guard.freeze(source, token, 1, TRY).ok()).isTrue();
            return enter(MovePhase.FROZEN, MovePhase.COPYING);
        }

        Steps copied() throws SQLException {
            target.setAutoCommit(false);
            lab.guard.enterMover(target, token);
            for (String id : lab.query(s1, "SELECT id FROM app.entries WHERE tenant_id = ?", tenant.value())) {
                Jdbc.update(target, "INSERT INTO app.entries VALUES (?, CAST(? AS bigint), 0)", tenant.value(), id);
            }
            target.commit();
            target.setAutoCommit(true);
            return this;
        }

        Steps verified() throws SQLException {
            frozen().copied();
            assertThat(lab.guard.markVerified(target, token, 2).ok()).isTrue();
            return enter(MovePhase.VERIFIED);
        }

        @Override
        public void close() throws SQLException {
            source.close();
            target.close();
        }
    }

    private void recover() {
        lab.expire(move);
        lab.engine().recover();
    }

    /** A freeze that was under way when its mover died lands after the move was undone, and nobody thaws it. */
    @Test
    void rule1_withoutFenceAFreezeLandsAfterTheAbort() throws SQLException {
        try (Steps steps = new Steps()) {
            steps.enter(MovePhase.RESERVED, MovePhase.FREEZING);
            recover();
            assertThatThrownBy(() -> lab.guard.freeze(steps.source, steps.token, 1, TRY))
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo(SqlStates.OTHER_MOVER);
            assertThat(lab.owners(tenant)).containsExactly(s1);

            try (MissingRule fault = MissingRule.on(lab, "homeshard.pass_fence", "WHERE f.epoch <= excluded.epoch", "")
                    .and("homeshard.pass_fence", "IF ended AND p_takes THEN", "IF false THEN")
                    .and("homeshard.refuse_older", "IF f.epoch > p_epoch THEN", "IF false THEN")) {
                assertThat(lab.guard.freeze(steps.source, steps.token, 1, TRY).ok())
                        .as("%s", fault)
                        .isTrue();
            }
            assertThat(lab.owners(tenant)).as("nobody owns").isEmpty();
            assertThat(lab.journal.find(move).orElseThrow().phase())
                    .as("and nobody is to mend it")
                    .isEqualTo(MovePhase.ABORTED);
        }
    }

    /** The target owns, the source does not say moved yet, the directory forgets the flip: the source is thawed. */
    @Test
    void rule2_targetBeforeSourceMakesTwoOwners() throws SQLException {
        try (Steps steps = new Steps().verified()) {
            assertThat(lab.journal.flip(steps.ticket).ok()).isTrue();
            assertThat(lab.guard.activate(steps.target, steps.token, 2).ok()).isTrue();
            forgetFlip();
            assertThat(thawedByARecoverer(steps).toString()).isEqualTo("done");
            assertThat(lab.owners(tenant)).containsExactly(s1, s2);
        }
    }

    @Test
    void rule2_sourceBeforeTargetIsEvidenceOfAFlipThatIsForgotten() throws SQLException {
        try (Steps steps = new Steps().verified()) {
            assertThat(lab.journal.flip(steps.ticket).ok()).isTrue();
            assertThat(lab.guard.markMoved(steps.source, steps.token, 1, s2).ok())
                    .isTrue();
            forgetFlip();
            assertThat(thawedByARecoverer(steps).toString()).contains("refused", "moved");
            recover();
            assertThat(lab.owners(tenant)).containsExactly(s2);
        }
    }

    /** Activated without source, at a person's order: the target's word is all the evidence of the flip that there is. */
    @Test
    void rule2_targetThatOwnsIsEvidenceOfAFlipThatIsForgotten() throws SQLException {
        try (Steps steps = new Steps().verified()) {
            assertThat(lab.journal.flip(steps.ticket).ok()).isTrue();
            assertThat(lab.guard.activate(steps.target, steps.token, 2).ok()).isTrue();
            forgetFlip();
            recover();
            assertThat(lab.owners(tenant)).containsExactly(s2);
            assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.MOVED);
            assertThat(lab.placement(tenant).shard()).isEqualTo(s2);
        }
    }

    /** The way of a recoverer that believes the directory and nobody else. */
    private StepResult thawedByARecoverer(Steps steps) throws SQLException {
        MoveRecord taken =
                lab.journal.takeOver(move, "recoverer", MoveLab.LEASE, true).orElseThrow();
        MoverToken token = new MoverToken(tenant, move, taken.epoch(), taken.attempt());
        assertThat(lab.guard.takeOver(steps.source, token).ok()).isTrue();
        return lab.guard.unfreeze(steps.source, token, 1);
    }

    private void forgetFlip() throws SQLException {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            Jdbc.run(directory, "UPDATE homeshard.move SET phase = 'VERIFIED' WHERE id = ?", move);
            Jdbc.run(
                    directory,
                    "UPDATE homeshard.placement SET shard_id = 's1', generation = 1, state = 'frozen' WHERE tenant_id = ?",
                    tenant.value());
        }
    }

    /** A timer opens the source without asking: its next write is lost, or the directory names a shard that owns not. */
    @Test
    void rule3_thawedBeforeAbortingTheFlipGoesThrough() throws SQLException {
        try (Steps steps = new Steps().verified()) {
            assertThat(lab.guard.unfreeze(steps.source, steps.token, 1).ok()).isTrue();
            write(s1, 2);
            assertThat(lab.journal.flip(steps.ticket).ok()).isTrue();
            assertThat(lab.owners(tenant)).containsExactly(s1);
            assertThat(lab.placement(tenant).shard())
                    .as("and the directory says")
                    .isEqualTo(s2);
        }
    }

    @Test
    void rule3_thawedAfterAbortingTheFlipIsRefused() throws SQLException {
        try (Steps steps = new Steps().verified()) {
            assertThat(lab.journal.abort(steps.ticket, "test").ok()).isTrue();
            assertThat(lab.guard.unfreeze(steps.source, steps.token, 1).ok()).isTrue();
            assertThat(lab.journal.flip(steps.ticket).toString()).contains("refused", "ABORTING");
            assertThat(lab.placement(tenant).shard()).isEqualTo(s1);
        }
    }

    /** The flip looks first and writes later: between the two the move is cancelled and the source thawed. */
    @Test
    void rule4_flipThatDoesNotLockTheMoveFirstMeetsACancel() throws Exception {
        try (Steps steps = new Steps().verified();
                Connection gate = lab.directoryDataSource.getConnection();
                MissingRule fault = MissingRule.on(
                                lab, "homeshard.flip_move", "WHERE id = p_move FOR UPDATE", "WHERE id = p_move")
                        .and(
                                "homeshard.flip_move",
                                "UPDATE placement SET shard_id",
                                PAUSE + "UPDATE placement SET shard_id")) {
            assertThat(cancelledWithinTheFlip(steps, gate)).as("%s", fault).isEqualTo("done");
            assertThat(lab.placement(tenant).shard()).as("flipped all the same").isEqualTo(s2);
            assertThat(lab.owners(tenant)).as("though cancelled and thawed").containsExactly(s1);
        }
    }

    @Test
    void rule4_flipThatLocksTheMoveFirstKeepsACancelWaiting() throws Exception {
        try (Steps steps = new Steps().verified();
                Connection gate = lab.directoryDataSource.getConnection();
                MissingRule pause = MissingRule.on(
                        lab,
                        "homeshard.flip_move",
                        "UPDATE placement SET shard_id",
                        PAUSE + "UPDATE placement SET shard_id")) {
            assertThat(cancelledWithinTheFlip(steps, gate)).as("%s", pause).contains("refused", "FLIPPED");
        }
    }

    private static final String PAUSE = "PERFORM pg_advisory_xact_lock(99); ";

    /** The answer to a cancel that comes while the flip stands before its first write. */
    private String cancelledWithinTheFlip(Steps steps, Connection gate) throws Exception {
        Jdbc.run(gate, "SELECT pg_advisory_lock(99)");
        CompletableFuture<String> flip = CompletableFuture.supplyAsync(
                () -> lab.journal.flip(steps.ticket).toString());
        MoveLab.await(() -> waiting() == 1);
        CompletableFuture<String> cancel = CompletableFuture.supplyAsync(
                () -> lab.journal.cancel(move, "meanwhile").toString());
        MoveLab.await(() -> cancel.isDone() || waiting() == 2);
        if (cancel.isDone()) {
            assertThat(lab.guard.unfreeze(steps.source, steps.token, 1).ok()).isTrue();
        }
        Jdbc.run(gate, "SELECT pg_advisory_unlock(99)");
        assertThat(flip.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        return cancel.get(20, TimeUnit.SECONDS);
    }

    private static long waiting() {
        try (Connection directory = lab.directoryDataSource.getConnection()) {
            return Jdbc.one(directory, """
                    SELECT count(*) FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """, row -> row.getLong(1));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A table whose trigger is switched off takes writes of a frozen tenant; they are in no copy. */
    @Test
    void rule5_freezeThatDoesNotProveTheGuardLetsAWriteThrough() throws SQLException {
        lab.run(s1, "ALTER TABLE app.entries DISABLE TRIGGER zz_homeshard_guard_i");
        try (Steps steps = new Steps()) {
            steps.enter(MovePhase.RESERVED, MovePhase.FREEZING);
            assertThatThrownBy(() -> lab.guard.freeze(steps.source, steps.token, 1, TRY))
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo(SqlStates.GUARD_INCOMPLETE);
            try (MissingRule fault = MissingRule.on(lab, "homeshard.freeze", "PERFORM homeshard.refuse_gaps();", "")) {
                assertThat(lab.guard.freeze(steps.source, steps.token, 1, TRY).ok())
                        .as("%s", fault)
                        .isTrue();
                write(s1, 2);
                assertThat(rows(s1)).as("written while frozen").isEqualTo(2);
            }
        } finally {
            lab.run(s1, "ALTER TABLE app.entries ENABLE ALWAYS TRIGGER zz_homeshard_guard_i");
            recover();
        }
    }

    /** A target that has lost the copied rows, and the marker with them. */
    @Test
    void rule6_activationThatDemandsNoMarkerLosesTheRows() throws SQLException {
        try (Steps steps = new Steps().frozen()) {
            assertThat(lab.guard.activate(steps.target, steps.token, 2).toString())
                    .contains("refused", "not verified");
            try (MissingRule fault = MissingRule.on(
                    lab, "homeshard.activate", "IF (r.verified_attempt = $5) IS NOT TRUE THEN", "IF false THEN")) {
                assertThat(lab.guard.activate(steps.target, steps.token, 2).ok())
                        .as("%s", fault)
                        .isTrue();
                assertThat(lab.owners(tenant)).containsExactly(s2);
                assertThat(rows(s2)).as("of one acknowledged write").isZero();
            }
        }
    }

    /** A reservation that replaces whatever is there takes the tenant from its owner. */
    @Test
    void rule8_reservationThatReplacesAnythingTakesTheTenantFromItsOwner() throws SQLException {
        MoverToken stranger = new MoverToken(tenant, UUID.randomUUID(), 1_000_000, 1);
        try (Connection owner = lab.connect(s1)) {
            assertThat(lab.guard.reserve(owner, stranger, 2).toString()).contains("refused", "owned");
            assertThat(lab.owners(tenant)).containsExactly(s1);
            try (MissingRule fault = MissingRule.on(
                    lab,
                    "homeshard.reserve",
                    "IF r.state = 'moved' AND r.generation < $2 THEN",
                    "IF r.generation < $2 THEN")) {
                assertThat(lab.guard.reserve(owner, stranger, 2).ok())
                        .as("%s", fault)
                        .isTrue();
                assertThat(lab.owners(tenant)).as("nobody owns").isEmpty();
            }
        }
    }

    /** Old rows of a move are deleted when they are the tenant's again: a move back has just copied them. */
    @Test
    void rule12_cleaningThatIsNotBoundToItsMoveDeletesTheTenantsRows() throws SQLException {
        MoveReport there = lab.move(tenant, s2);
        MoveRecord first = lab.journal.find(there.move()).orElseThrow();
        String sweep = "SELECT homeshard.sweep('app.entries', ?, ?, ?, 100)";
        MoveEngine engine = lab.engine();
        try (Connection old = lab.connect(s1)) {
            MoveListener back = PhaseListener.at(MovePhase.VERIFIED, moving -> {
                assertThatThrownBy(() -> Jdbc.run(old, sweep, tenant.value(), first.id(), first.epoch()))
                        .extracting(e -> ((SQLException) e).getSQLState())
                        .isEqualTo(SqlStates.OTHER_MOVER);
                try (MissingRule fault = MissingRule.on(
                                lab,
                                "homeshard.enter_mover",
                                "IF (r.move_id = $2 AND r.mover_epoch = $3) IS NOT TRUE THEN",
                                "IF false THEN")
                        .and("homeshard.enter_mover", "IF (known = $3) IS NOT TRUE THEN", "IF false THEN")) {
                    Jdbc.run(old, sweep, tenant.value(), first.id(), first.epoch());
                }
            });
            engine.execute(engine.plan(tenant, s1), back);
        }
        assertThat(lab.state(s1, tenant)).isEqualTo(OwnershipState.OWNED);
        assertThat(rows(s1)).as("of one acknowledged write").isZero();
    }
}
