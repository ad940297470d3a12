package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static io.homeshard.directory.DirectoryFixture.S3;
import static io.homeshard.directory.MovePhase.ABORTED;
import static io.homeshard.directory.MovePhase.ABORTING;
import static io.homeshard.directory.MovePhase.ACTIVATED;
import static io.homeshard.directory.MovePhase.CLEANING;
import static io.homeshard.directory.MovePhase.COPYING;
import static io.homeshard.directory.MovePhase.DONE;
import static io.homeshard.directory.MovePhase.FLIPPED;
import static io.homeshard.directory.MovePhase.FREEZING;
import static io.homeshard.directory.MovePhase.FROZEN;
import static io.homeshard.directory.MovePhase.PLANNED;
import static io.homeshard.directory.MovePhase.RESERVED;
import static io.homeshard.directory.MovePhase.RETAINED;
import static io.homeshard.directory.MovePhase.VERIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.Placement;
import io.homeshard.model.PlacementState;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MoveJournalTest {
    private final DirectoryFixture fixture = new DirectoryFixture();
    private final MoveJournal journal = fixture.journal;

    @BeforeEach
    void oneTenant() {
        fixture.tenant(ACME, S1);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aMoveGoesThroughItsPhasesAndThePlacementFollows() {
        MoveTicket ticket = fixture.move(ACME, S2, RESERVED);
        assertPlacement(S1.value(), 1, PlacementState.ACTIVE);
        journal.advance(ticket, RESERVED, FREEZING, "{}", LEASE);
        assertPlacement(S1.value(), 1, PlacementState.FROZEN);
        journal.advance(ticket, FREEZING, FROZEN, "{}", LEASE);
        journal.advance(ticket, FROZEN, COPYING, "{}", LEASE);
        journal.advance(ticket, COPYING, VERIFIED, "{\"rows\": 3}", LEASE);
        assertPlacement(S1.value(), 1, PlacementState.FROZEN);
        assertThat(journal.flip(ticket)).hasToString("done");
        assertPlacement(S2.value(), 2, PlacementState.ACTIVE);
        journal.advance(ticket, FLIPPED, ACTIVATED, "{}", LEASE);
        journal.advance(ticket, ACTIVATED, RETAINED, "{}", LEASE);
        assertThat(journal.retained()).extracting(MoveRecord::id).containsExactly(ticket.move());
        journal.advance(ticket, RETAINED, CLEANING, "{}", LEASE);
        assertThat(journal.advance(ticket, CLEANING, DONE, "{}", LEASE)).hasToString("done");

        assertThat(journal.steps(ticket.move()))
                .extracting(MoveStep::phase)
                .containsExactly(
                        PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED, FLIPPED, ACTIVATED, RETAINED, CLEANING,
                        DONE);
        assertThat(journal.steps(ticket.move()).get(5).detail()).isEqualTo("{\"rows\": 3}");
        assertThat(journal.unfinished()).isEmpty();
        assertThat(journal.retained()).isEmpty();
    }

    @Test
    void eachStepRepeatedSaysAlreadyDone() {
        UUID move = UUID.randomUUID();
        assertThat(journal.plan(move, ACME, S2, "mover", LEASE)).hasToString("done");
        assertThat(journal.plan(move, ACME, S2, "mover", LEASE)).hasToString("already done");
        MoveTicket ticket = fixture.ticket(move);
        List<MovePhase> way = List.of(PLANNED, RESERVED, FREEZING, FROZEN, COPYING, VERIFIED);
        twice(ticket, way);
        long version = fixture.mapVersion();
        assertThat(journal.flip(ticket)).hasToString("done");
        assertThat(journal.flip(ticket)).hasToString("already done");
        assertThat(journal.redoFlip(ticket, "{}")).hasToString("already done");
        assertThat(fixture.mapVersion()).isEqualTo(version + 1);
        twice(ticket, List.of(FLIPPED, ACTIVATED, RETAINED, CLEANING, DONE));
    }

    private void twice(MoveTicket ticket, List<MovePhase> way) {
        for (int i = 0; i + 1 < way.size(); i++) {
            assertThat(journal.advance(ticket, way.get(i), way.get(i + 1), "{}", LEASE))
                    .hasToString("done");
            assertThat(journal.advance(ticket, way.get(i), way.get(i + 1), "{}", LEASE))
                    .hasToString("already done");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PLANNED", "RESERVED", "FREEZING", "FROZEN", "COPYING", "VERIFIED"})
    void everyPhaseBeforeTheFlipCanBeAborted(MovePhase phase) {
        MoveTicket ticket = fixture.move(ACME, S2, phase);
        PlacementState before = fixture.directory.find(ACME).orElseThrow().state();
        assertThat(journal.abort(ticket, "budget")).hasToString("done");
        assertThat(journal.abort(ticket, "budget")).hasToString("already done");
        assertThat(journal.cancel(ticket.move(), "late")).hasToString("already done");
        assertPlacement(S1.value(), 1, before);
        assertThat(journal.flip(ticket)).hasToString("refused: the phase is ABORTING, not VERIFIED");
        assertThat(journal.advance(ticket, ABORTING, ABORTED, "{}", LEASE)).hasToString("done");
        assertThat(journal.advance(ticket, ABORTING, ABORTED, "{}", LEASE)).hasToString("already done");
        assertPlacement(S1.value(), 1, PlacementState.ACTIVE);
        assertThat(journal.find(ticket.move()).orElseThrow().reason()).isEqualTo("budget");
        assertThat(journal.takeOver(ticket.move(), "other", LEASE, true)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLIPPED", "ACTIVATED", "RETAINED"})
    void afterTheFlipThereIsNoWayBack(MovePhase phase) {
        MoveTicket ticket = fixture.move(ACME, S2, phase);
        assertThat(journal.abort(ticket, "no")).hasToString("refused: the move has flipped (phase=" + phase + ")");
        assertThat(journal.cancel(ticket.move(), "no").ok()).isFalse();
        assertThat(journal.advance(ticket, ABORTING, ABORTED, "{}", LEASE).ok()).isFalse();
        assertPlacement(S2.value(), 2, PlacementState.ACTIVE);
    }

    @Test
    void cancelOnlySetsAborting() {
        MoveTicket ticket = fixture.move(ACME, S2, FROZEN);
        assertThat(journal.cancel(ticket.move(), "operator")).hasToString("done");
        assertPlacement(S1.value(), 1, PlacementState.FROZEN);
        MoveRecord record = journal.find(ticket.move()).orElseThrow();
        assertThat(record.phase()).isEqualTo(ABORTING);
        assertThat(record.epoch()).isEqualTo(ticket.epoch());
        assertThat(journal.advance(ticket, FROZEN, COPYING, "{}", LEASE).ok()).isFalse();
        assertThat(journal.cancel(UUID.randomUUID(), "x")).hasToString("refused: unknown move");
    }

    @Test
    void planSaysWhyNot() {
        assertThat(plan("nobody", S2)).isEqualTo("refused: unknown tenant");
        assertThat(journal.plan(UUID.randomUUID(), ACME, S1, "m", LEASE))
                .hasToString("refused: the tenant is on shard s1 already");
        fixture.admin.setStatus(S3, ShardStatus.DRAINING);
        assertThat(plan("acme", S3)).isEqualTo("refused: shard s3 is draining");
        Provisioning creation = fixture.admin.beginCreate(TenantId.of("new"), S1, UUID.randomUUID(), LEASE);
        assertThat(plan("new", S2)).isEqualTo("refused: the tenant is provisioning");
        fixture.admin.commitCreate(creation);
        assertThat(plan("new", S2))
                .isEqualTo("refused: the creation of the tenant has not ended, tenants().repair() ends it");
        fixture.admin.endCreate(creation);
        assertThat(plan("new", S2)).isEqualTo("done");
        fixture.move(ACME, S2, PLANNED);
        assertThat(plan("acme", S2)).startsWith("refused: the tenant has an unfinished move (phase=PLANNED");
    }

    private String plan(String tenant, io.homeshard.model.ShardId target) {
        return journal.plan(UUID.randomUUID(), TenantId.of(tenant), target, "m", LEASE)
                .toString();
    }

    @Test
    void theLeaseIsTheDirectorysAndAnOlderEpochCanDoNothing() {
        MoveTicket old = fixture.move(ACME, S2, VERIFIED);
        assertThat(journal.takeOver(old.move(), "second", LEASE, false)).isEmpty();
        fixture.expire(old.move());
        assertThat(journal.find(old.move()).orElseThrow().leaseExpired()).isTrue();
        assertThat(journal.flip(old)).hasToString("refused: the lease has run out");
        MoveRecord taken = journal.takeOver(old.move(), "second", LEASE, false).orElseThrow();
        assertThat(taken.epoch()).isGreaterThan(old.epoch());
        assertThat(taken.attempt()).isEqualTo(2);
        assertThat(taken.leaseExpired()).isFalse();

        String why = "refused: another mover has the move (epoch=" + taken.epoch() + ", came with " + old.epoch() + ")";
        assertThat(journal.flip(old)).hasToString(why);
        assertThat(journal.redoFlip(old, "{}")).hasToString(why);
        assertThat(journal.abort(old, "x")).hasToString(why);
        assertThat(journal.renew(old, LEASE)).hasToString(why);
        assertThat(journal.advance(old, VERIFIED, COPYING, "{}", LEASE)).hasToString(why);
        MoveTicket sameEpoch = new MoveTicket(old.move(), taken.epoch(), 1);
        assertThat(journal.flip(sameEpoch).toString()).startsWith("refused: another attempt");
    }

    @Test
    void aNewAttemptMustVerifyAnewBeforeItFlips() {
        MoveTicket old = fixture.move(ACME, S2, VERIFIED);
        journal.takeOver(old.move(), "second", LEASE, true);
        MoveTicket ticket = fixture.ticket(old.move());
        assertThat(journal.flip(ticket)).hasToString("refused: attempt 2 was not verified (verified=1)");
        assertThat(journal.advance(ticket, COPYING, VERIFIED, "{}", LEASE).ok()).isFalse();
        assertThat(journal.advance(ticket, VERIFIED, COPYING, "{}", LEASE)).hasToString("done");
        assertThat(journal.advance(ticket, COPYING, VERIFIED, "{}", LEASE)).hasToString("done");
        assertThat(journal.advance(ticket, VERIFIED, COPYING, "{}", LEASE).ok()).isFalse();
        assertThat(journal.flip(ticket)).hasToString("done");
        journal.takeOver(old.move(), "third", LEASE, true);
        assertThat(fixture.ticket(old.move()).attempt()).isEqualTo(2);
    }

    @Test
    void flipIsACompareAndSetOnThePlacement() {
        MoveTicket ticket = fixture.move(ACME, S2, VERIFIED);
        fixture.run("UPDATE homeshard.placement SET state = 'active'");
        assertThat(journal.flip(ticket))
                .hasToString("refused: the placement is not frozen on shard s1 at generation 1");
        assertThat(journal.find(ticket.move()).orElseThrow().phase()).isEqualTo(VERIFIED);
        fixture.run("UPDATE homeshard.placement SET state = 'frozen', generation = 5");
        assertThat(journal.flip(ticket).ok()).isFalse();
        fixture.run("UPDATE homeshard.placement SET generation = 1");
        assertThat(journal.flip(ticket)).hasToString("done");
    }

    @Test
    void aForgottenFlipIsDoneAgainEvenFromAborting() {
        MoveTicket ticket = fixture.move(ACME, S2, FROZEN);
        journal.cancel(ticket.move(), "directory fell back");
        assertThat(journal.redoFlip(ticket, "{}")).hasToString("done");
        assertPlacement(S2.value(), 2, PlacementState.ACTIVE);
        assertThat(journal.advance(ticket, FLIPPED, ACTIVATED, "{}", LEASE)).hasToString("done");

        MoveTicket aborted = fixture.move(finish(ticket), S3, PLANNED);
        journal.abort(aborted, "x");
        journal.advance(aborted, ABORTING, ABORTED, "{}", LEASE);
        assertThat(journal.redoFlip(aborted, "{}")).hasToString("refused: the phase is ABORTED");
    }

    private TenantId finish(MoveTicket ticket) {
        journal.advance(ticket, ACTIVATED, RETAINED, "{}", LEASE);
        return ACME;
    }

    @Test
    void aMoveBackSupersedesTheOldRowsOnItsTargetUntilItIsAborted() {
        MoveTicket away = fixture.move(ACME, S2, RETAINED);
        MoveTicket back = fixture.move(ACME, S1, RESERVED);
        assertThat(journal.find(away.move()).orElseThrow().superseded()).isTrue();
        assertThat(journal.advance(away, RETAINED, CLEANING, "{}", LEASE).toString())
                .startsWith("refused: superseded by a later move");
        assertThat(journal.takeOver(away.move(), "cleaner", LEASE, true)).isEmpty();
        assertThat(journal.retained()).isEmpty();
        journal.abort(back, "x");
        journal.advance(back, ABORTING, ABORTED, "{}", LEASE);
        assertThat(journal.retained()).extracting(MoveRecord::id).containsExactly(away.move());
        assertThat(journal.takeOver(away.move(), "cleaner", LEASE, false)).isPresent();
        assertThat(journal.ofTenant(ACME)).extracting(MoveRecord::id).containsExactly(back.move(), away.move());
    }

    @Test
    void stepsThatAreNoneAreRefused() {
        MoveTicket ticket = fixture.move(ACME, S2, PLANNED);
        assertThat(journal.advance(ticket, PLANNED, FROZEN, "{}", LEASE))
                .hasToString("refused: FROZEN does not follow PLANNED");
        assertThat(journal.advance(ticket, VERIFIED, FLIPPED, "{}", LEASE).ok()).isFalse();
        assertThat(journal.advance(ticket, FREEZING, FROZEN, "{}", LEASE))
                .hasToString("refused: the phase is PLANNED, not FREEZING");
        assertThatThrownBy(() -> journal.advance(ticket, PLANNED, RESERVED, "no json", LEASE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(journal.find(ticket.move()).orElseThrow().phase()).isEqualTo(PLANNED);
    }

    @Test
    void evidenceIsKeptAndMerged() {
        MoveTicket ticket = fixture.move(ACME, S2, PLANNED);
        journal.report(ticket.move(), "{\"a\": 1}");
        journal.report(ticket.move(), "{\"b\": 2}");
        assertThat(journal.evidence(ticket.move())).contains("{\"a\": 1, \"b\": 2}");
        assertThat(journal.evidence(UUID.randomUUID())).isEmpty();
        assertThatThrownBy(() -> journal.report(UUID.randomUUID(), "{}")).isInstanceOf(IllegalArgumentException.class);
    }

    private void assertPlacement(String shard, long generation, PlacementState state) {
        Optional<Placement> placement = fixture.directory.find(ACME);
        assertThat(placement).isPresent();
        assertThat(placement.orElseThrow().shard().value()).isEqualTo(shard);
        assertThat(placement.orElseThrow().generation()).isEqualTo(generation);
        assertThat(placement.orElseThrow().state()).isEqualTo(state);
    }
}
