package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.after;
import static io.homeshard.guard.GuardedShard.alreadyDone;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static io.homeshard.guard.GuardedShard.refused;
import static io.homeshard.guard.GuardedShard.tenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every step alone: what it does, what it answers when repeated, and what it refuses. */
class MoverStepsTest {
    private static final ShardId TARGET = ShardId.of("s2");
    private static final TableName NOTE = TableName.parse("public.note");

    private static GuardedShard shard;
    private static WriteGuard guard;
    private Connection connection;

    @BeforeAll
    static void start() throws SQLException {
        shard = GuardedShard.withNotes();
        guard = shard.guard;
    }

    @AfterAll
    static void stop() {
        shard.close();
    }

    @BeforeEach
    void connect() throws SQLException {
        connection = shard.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void aRepeatedStepSaysAlreadyDone() throws SQLException {
        MoverToken arriving = mover(tenant());
        done(guard.reserve(connection, arriving, 1));
        alreadyDone(guard.reserve(connection, arriving, 1));
        done(guard.markVerified(connection, arriving, 1));
        alreadyDone(guard.markVerified(connection, arriving, 1));
        done(guard.activate(connection, arriving, 1));
        alreadyDone(guard.activate(connection, arriving, 1));

        MoverToken leaving = mover(arriving.tenant());
        done(guard.takeOver(connection, leaving));
        alreadyDone(guard.takeOver(connection, leaving));
        done(guard.freeze(connection, leaving, 1, SOON));
        alreadyDone(guard.freeze(connection, leaving, 1, SOON));
        done(guard.markMoved(connection, leaving, 1, TARGET));
        alreadyDone(guard.markMoved(connection, leaving, 1, TARGET));
        assertThat(shard.ownership(leaving.tenant()))
                .isEqualTo(new Ownership(
                        leaving.tenant(),
                        1,
                        OwnershipState.MOVED,
                        leaving.move(),
                        leaving.epoch(),
                        1,
                        null,
                        TARGET.value()));
    }

    @Test
    void aRepeatedWayBackSaysAlreadyDone() throws SQLException {
        TenantId tenant = shard.owned();
        MoverToken leaving = shard.frozen(tenant);
        done(guard.unfreeze(connection, leaving, 1));
        alreadyDone(guard.unfreeze(connection, leaving, 1));
        shard.write(tenant, 1);

        MoverToken arriving = shard.incoming(tenant(), 4);
        done(guard.release(connection, arriving, 4));
        alreadyDone(guard.release(connection, arriving, 4));
        assertThat(guard.ownership(connection, arriving.tenant())).isEmpty();
    }

    @Test
    void anOlderEpochIsRefusedByEveryStep() throws SQLException {
        TenantId tenant = shard.owned();
        MoverToken old = mover(tenant);
        MoverToken successor = after(old);
        done(guard.takeOver(connection, successor));
        fails("HS004", () -> guard.takeOver(connection, old));
        fails("HS004", () -> guard.reserve(connection, old, 2));
        fails("HS004", () -> guard.freeze(connection, old, 1, SOON));
        fails("HS004", () -> guard.unfreeze(connection, old, 1));
        fails("HS004", () -> guard.markVerified(connection, old, 2));
        fails("HS004", () -> guard.markMoved(connection, old, 1, TARGET));
        fails("HS004", () -> guard.activate(connection, old, 2));
        fails("HS004", () -> guard.release(connection, old, 2));
        fails("HS004", () -> guard.enterMover(connection, old));
        fails("HS004", () -> guard.sweep(connection, old, NOTE, 10));
        assertThat(shard.ownership(tenant).state()).isEqualTo(OwnershipState.OWNED);
    }

    @Test
    void theFenceStandsWhereThereIsNoRow() throws SQLException {
        MoverToken old = mover(tenant());
        done(guard.takeOver(connection, after(old)));
        fails("HS004", () -> guard.reserve(connection, old, 1));
        assertThat(guard.ownership(connection, old.tenant())).isEmpty();
    }

    @Test
    void whoHasGivenUpTakesNothingAgain() throws SQLException {
        TenantId tenant = shard.owned();
        MoverToken source = mover(tenant);
        alreadyDone(guard.unfreeze(connection, source, 1));
        fails("HS004", () -> guard.freeze(connection, source, 1, SOON));
        alreadyDone(guard.takeOver(connection, source));
        fails("HS004", () -> guard.freeze(connection, source, 1, SOON));

        MoverToken target = mover(tenant());
        alreadyDone(guard.release(connection, target, 2));
        fails("HS004", () -> guard.reserve(connection, target, 2));
        done(guard.reserve(connection, after(target), 2));
    }

    @Test
    void aRecovererThawsWhatItsPredecessorFroze() throws SQLException {
        TenantId tenant = shard.owned();
        MoverToken old = shard.frozen(tenant);
        MoverToken recoverer = after(old);
        done(guard.takeOver(connection, recoverer));
        assertThat(shard.ownership(tenant).epoch()).isEqualTo(recoverer.epoch());
        fails("HS004", () -> guard.unfreeze(connection, old, 1));
        done(guard.unfreeze(connection, recoverer, 1));
        assertThat(shard.ownership(tenant).move()).isEqualTo(recoverer.move());

        MoverToken again = shard.frozen(tenant);
        done(guard.unfreeze(connection, after(again), 1));
    }

    @Test
    void aThawIsRefusedOfAMovedTenantAndOfAnotherMove() throws SQLException {
        TenantId moved = shard.owned();
        MoverToken token = shard.moved(moved);
        refused(guard.unfreeze(connection, after(token), 1), "moved at generation 1 by this move");
        TenantId frozen = shard.owned();
        shard.frozen(frozen);
        refused(guard.unfreeze(connection, mover(frozen), 1), "frozen at generation 1 by another move");
        refused(guard.unfreeze(connection, mover(tenant()), 1), "no row");
    }

    @Test
    void aFreezeNamesWhatStandsInItsWay() throws SQLException {
        TenantId tenant = shard.owned();
        refused(guard.freeze(connection, mover(tenant), 2, SOON), "owned at generation 1");
        refused(guard.freeze(connection, mover(tenant()), 1, SOON), "no row");
        shard.frozen(tenant);
        refused(guard.freeze(connection, mover(tenant), 1, SOON), "frozen at generation 1 by another move");
    }

    @Test
    void aFreezeNeedsReadCommitted() throws SQLException {
        MoverToken token = mover(shard.owned());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        fails("HS005", () -> guard.freeze(connection, token, 1, SOON));
    }

    @Test
    void reserveReplacesOnlyItsOwnRowOrAMovedOneOfLowerGeneration() throws SQLException {
        MoverToken first = shard.incoming(tenant(), 2);
        done(guard.markVerified(connection, first, 2));
        MoverToken second = after(first);
        done(guard.reserve(connection, second, 2));
        assertThat(shard.ownership(first.tenant()).attempt()).isEqualTo(2);
        refused(guard.activate(connection, second, 2), "not verified (attempt=2, verified=1)");
        refused(guard.reserve(connection, mover(first.tenant()), 2), "incoming at generation 2 by another move");

        TenantId owned = shard.owned();
        refused(guard.reserve(connection, mover(owned), 2), "owned at generation 1");
        shard.moved(owned);
        refused(guard.reserve(connection, mover(owned), 1), "moved at generation 1");
        done(guard.reserve(connection, mover(owned), 2));
    }

    @Test
    void activationDemandsTheMarker() throws SQLException {
        MoverToken token = shard.incoming(tenant(), 2);
        refused(guard.activate(connection, token, 2), "not verified (attempt=1, verified=none)");
        fails("HS002", () -> shard.write(token.tenant(), 1));
        refused(guard.activate(connection, mover(tenant()), 2), "no row");
    }

    @Test
    void releaseIsRefusedWhileRowsRemain() throws SQLException {
        MoverToken token = shard.incoming(tenant(), 2);
        connection.setAutoCommit(false);
        guard.enterMover(connection, token);
        GuardedShard.write(connection, token.tenant(), 1);
        GuardedShard.write(connection, token.tenant(), 2);
        connection.commit();
        connection.setAutoCommit(true);
        refused(guard.release(connection, token, 2), "table public.note still has rows");
        assertThat(guard.sweep(connection, token, NOTE, 10)).isEqualTo(2);
        done(guard.release(connection, token, 2));
    }

    @Test
    void aReleasedReservationBringsTheMovedRowBack() throws SQLException {
        TenantId tenant = shard.owned();
        shard.moved(tenant);
        Ownership before = shard.ownership(tenant);
        MoverToken token = shard.incoming(tenant, 7);
        done(guard.release(connection, token, 7));
        Ownership after = shard.ownership(tenant);
        assertThat(after.state()).isEqualTo(OwnershipState.MOVED);
        assertThat(after.generation()).isEqualTo(1);
        assertThat(after.move()).isEqualTo(before.move());
        assertThat(after.movedTo()).isEqualTo(TARGET.value());
        alreadyDone(guard.release(connection, token, 7));
    }

    @Test
    void aTenantMayComeBack() throws SQLException {
        TenantId tenant = shard.owned();
        shard.write(tenant, 1);
        MoverToken away = shard.moved(tenant);
        MoverToken back = shard.incoming(tenant, 3);
        fails("HS004", () -> guard.sweep(connection, away, NOTE, 10));
        assertThat(guard.sweep(connection, back, NOTE, 10)).isEqualTo(1);
        done(guard.markVerified(connection, back, 3));
        done(guard.activate(connection, back, 3));
        shard.write(tenant, 1);
        assertThat(shard.ownership(tenant).generation()).isEqualTo(3);
        done(guard.freeze(connection, mover(tenant), 3, SOON));
    }

    @Test
    void aSuccessorWaitsForTheOpenWorkOfTheOlderMover() throws SQLException {
        MoverToken old = shard.incoming(tenant(), 2);
        MoverToken successor = after(old);
        try (Connection working = shard.connect()) {
            working.setAutoCommit(false);
            guard.enterMover(working, old);
            GuardedShard.write(working, old.tenant(), 1);
            try (Connection other = shard.connect()) {
                Jdbc.run(other, "SET lock_timeout = 100");
                fails("55P03", () -> guard.takeOver(other, successor));
                fails("55P03", () -> guard.release(other, old, 2));
                working.commit();
                done(guard.takeOver(other, successor));
            }
            fails("HS004", () -> guard.enterMover(working, old));
            working.rollback();
        }
    }

    @Test
    void aSuccessorEndsSessionsOfOlderMoversOfItsMoveOnly() throws SQLException {
        MoverToken old = mover(tenant());
        MoverToken stranger = new MoverToken(old.tenant(), UUID.randomUUID(), old.epoch(), 1);
        MoverToken successor = after(old);
        try (Connection oldOne = shard.connect();
                Connection strange = shard.connect();
                Connection newest = shard.connect()) {
            name(oldOne, old);
            name(strange, stranger);
            name(newest, successor);
            assertThat(guard.terminateOlder(connection, successor)).isEqualTo(1);
            assertThat(oldOne.isValid(5)).isFalse();
            assertThat(strange.isValid(5)).isTrue();
            assertThat(newest.isValid(5)).isTrue();
        }
    }

    private static void name(Connection connection, MoverToken token) throws SQLException {
        GuardedShard.text(
                connection, "SELECT set_config('application_name', ?, false)", WriteGuard.applicationName(token));
    }
}
