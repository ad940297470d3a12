package io.homeshard.directory;

import static io.homeshard.directory.DirectoryFixture.ACME;
import static io.homeshard.directory.DirectoryFixture.LEASE;
import static io.homeshard.directory.DirectoryFixture.S1;
import static io.homeshard.directory.DirectoryFixture.S2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The window of a move is the directory's business: its clock counts, whoever asks. And what it is told of progress. */
class MoveTermsTest {
    private static final Duration HOUR = Duration.ofHours(1);
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
    void outsideTheWindowNothingIsJournaled() {
        Instant now = Instant.now();
        assertThat(plan(UUID.randomUUID(), MoveTerms.NONE.within(now.plus(HOUR), null))
                        .why())
                .matches("the window has not begun \\(notBefore=20.*Z, now=20.*Z\\)");
        assertThat(plan(UUID.randomUUID(), MoveTerms.NONE.within(null, now.minus(HOUR)))
                        .why())
                .matches("the window is over \\(notAfter=20.*Z, now=20.*Z\\)");
        assertThat(journal.unfinished()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"RESERVED,FREEZING", "VERIFIED,FLIPPED"})
    void theFreezeIsNotBegunAndNothingFlipsWhenTheWindowIsOver(MovePhase reached, MovePhase refused) {
        UUID move = UUID.randomUUID();
        plan(
                move,
                MoveTerms.NONE.within(Instant.now().minus(HOUR), Instant.now().plus(HOUR)));
        MoveTicket ticket = fixture.ticket(move);
        for (MovePhase phase : MovePhase.values()) {
            if (phase == reached) {
                break;
            }
            MovePhase next = MovePhase.values()[phase.ordinal() + 1];
            assertThat(journal.advance(ticket, phase, next, "{}", LEASE).ok()).isTrue();
        }
        fixture.run("UPDATE homeshard.move SET not_after = clock_timestamp()");

        StepResult result = refused == MovePhase.FLIPPED
                ? journal.flip(ticket)
                : journal.advance(ticket, reached, refused, "{}", LEASE);

        assertThat(result.why()).startsWith("the window is over");
        assertThat(journal.find(move).orElseThrow().phase()).isEqualTo(reached);
        assertThat(journal.abort(ticket, "test").ok()).isTrue();
    }

    @Test
    void theLimitsAreWhatIsLeftByTheDirectorysClock() {
        UUID move = UUID.randomUUID();
        plan(move, new MoveTerms(null, Instant.now().plus(HOUR), Duration.ofSeconds(3)));
        FreezeLimits limits = journal.limits(move).orElseThrow();
        assertThat(limits.windowLeft()).isBetween(HOUR.minusMinutes(1), HOUR);
        assertThat(limits.freezeBudget()).isEqualTo(Duration.ofSeconds(3));
        assertThat(journal.limits(fixture.move(other(), S1, MovePhase.PLANNED).move()))
                .contains(new FreezeLimits(null, null, Duration.ZERO));
        assertThat(journal.limits(UUID.randomUUID())).isEmpty();
        assertThat(limits.frozenFor()).isZero();
        MoveTicket frozen = fixture.ticket(move);
        journal.advance(frozen, MovePhase.PLANNED, MovePhase.RESERVED, "{}", LEASE);
        journal.advance(frozen, MovePhase.RESERVED, MovePhase.FREEZING, "{}", LEASE);
        journal.advance(frozen, MovePhase.FREEZING, MovePhase.FROZEN, "{}", LEASE);
        fixture.run("UPDATE homeshard.move_step SET at = at - interval '1 minute' WHERE phase = 'FROZEN'");
        assertThat(journal.limits(move).orElseThrow().frozenFor())
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
    }

    @Test
    void progressIsThatOfTheMoverThatHasTheMove() {
        MoveTicket ticket = fixture.move(ACME, S2, MovePhase.COPYING);
        assertThat(journal.progress(ticket.move())).isEmpty();
        assertThat(journal.progress(ticket, progress(ticket, 10)).ok()).isTrue();
        assertThat(journal.progress(ticket, progress(ticket, 20)).ok()).isTrue();
        MoveProgress read = journal.progress(ticket.move()).orElseThrow();
        assertThat(read).usingRecursiveComparison().ignoringFields("at").isEqualTo(progress(ticket, 20));

        fixture.expire(ticket.move());
        journal.takeOver(ticket.move(), "other", LEASE, false);

        assertThat(journal.progress(ticket, progress(ticket, 30)).why()).startsWith("another mover has the move");
        assertThat(journal.progress(ticket.move())).contains(read);
    }

    @Test
    void noUnfinishedCopyClaimsToBeCompleteAndNoEstimateIsMadeOfNothing() {
        MoveTicket any = new MoveTicket(UUID.randomUUID(), 1, 1);
        assertThat(progress(any, 0).timeLeft()).isEmpty();
        assertThat(progress(any, 25).share()).isEqualTo(0.25);
        assertThat(progress(any, 25).timeLeft()).contains(Duration.ofSeconds(30));
        assertThat(progress(any, 100).share()).isEqualTo(0.99);
        assertThat(progress(any, 170).share()).isEqualTo(0.99);
        assertThat(progress(any, 170).timeLeft()).isEmpty();
        MoveProgress complete = new MoveProgress(any.move(), 1, 5, 170, 5, 170, true, HOUR, Instant.EPOCH);
        assertThat(complete.share()).isEqualTo(1);
        assertThat(complete.timeLeft()).contains(Duration.ZERO);
    }

    @Test
    void impossibleTermsAreRefused() {
        Instant now = Instant.now();
        assertThatThrownBy(() -> MoveTerms.NONE.within(now, now))
                .hasMessageStartingWith("notAfter must be > notBefore");
        assertThatThrownBy(() -> MoveTerms.NONE.freezeBudget(Duration.ofNanos(1)))
                .hasMessage("freezeBudget must be >= PT0.001S, was PT0.000000001S");
    }

    private TenantId other() {
        TenantId other = TenantId.of("other");
        fixture.tenant(other, S2);
        return other;
    }

    private static MoveProgress progress(MoveTicket ticket, long bytes) {
        return new MoveProgress(
                ticket.move(), ticket.attempt(), 3, bytes, 4, 100, false, Duration.ofSeconds(10), Instant.EPOCH);
    }

    private StepResult plan(UUID move, MoveTerms terms) {
        return journal.plan(new MoveIntent(move, ACME, S2, terms), "mover", LEASE);
    }
}
