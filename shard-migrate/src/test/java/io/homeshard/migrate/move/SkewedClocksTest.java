package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.model.DirectoryUnavailableException;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases are the directory's clock's business; a mover only counts how long it has been silent itself. */
class SkewedClocksTest {
    private static final Duration SKEW = Duration.ofSeconds(120);
    private static final LeaseTimes LEASE = new LeaseTimes(Duration.ofSeconds(30), Duration.ofSeconds(1));
    private static final MoveConfig CONFIG = MoveLab.CONFIG.lease(LEASE);
    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;
    private final TenantId tenant = TenantId.of("acme " + UUID.randomUUID());

    /** A machine whose clocks are wrong; time passes as it does. */
    private record Skewed(AtomicLong nanos) implements Clocks {
        static Skewed by(Duration skew) {
            return new Skewed(new AtomicLong(skew.toNanos()));
        }

        @Override
        public Instant now() {
            return Clocks.system().now().plusNanos(nanos.get());
        }

        @Override
        public long nanoTime() {
            return Clocks.system().nanoTime() + nanos.get();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Clocks.system().sleep(duration);
        }
    }

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
        lab.run(s1, "INSERT INTO app.entries VALUES (?, 1, 1)", tenant.value());
    }

    private static MoveEngine engine(Clocks clocks, MoveJournal journal) {
        MoveParts parts = lab.parts(CONFIG);
        return MoveEngine.of(new MoveParts(
                parts.directory(), journal, parts.guard(), parts.pools(), parts.tables(), clocks, CONFIG));
    }

    /** One node is two minutes ahead, one behind: neither takes a lease that is held, both take one that is over. */
    @Test
    void e10_skewOfTwoMinutesChangesNothing() {
        MoveEngine behind = engine(Skewed.by(SKEW.negated()), lab.journal);
        MoveEngine ahead = engine(Skewed.by(SKEW), lab.journal);
        for (List<MoveEngine> pair : List.of(List.of(behind, ahead), List.of(ahead, behind))) {
            ShardId home = lab.placement(tenant).shard();
            ShardId away = home.equals(s1) ? s2 : s1;
            MoveEngine mover = pair.get(0);
            MoveEngine other = pair.get(1);
            MoveReport report = mover.execute(mover.plan(tenant, away), PhaseListener.at(MovePhase.COPYING, move -> {
                assertThat(other.recover()).as("the lease is held").isEmpty();
                assertThat(catchThrowable(() -> other.resume(move.id(), MoveListener.NONE)))
                        .hasMessageContaining("is in the hands of");
            }));
            assertThat(report.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
            assertThat(lab.owners(tenant)).containsExactly(away);
        }
    }

    @Test
    void e10_leaseThatIsOverIsTakenByWhoeverIsBehindOrAhead() {
        for (Duration skew : List.of(SKEW, SKEW.negated())) {
            UUID move = UUID.randomUUID();
            lab.journal.plan(move, tenant, s2, "lost", LEASE.duration());
            MoveEngine other = engine(Skewed.by(skew), lab.journal);
            assertThat(other.recover()).as("skew %s, lease held", skew).isEmpty();
            lab.expire(move);
            assertThat(other.recover())
                    .as("skew %s, lease over", skew)
                    .extracting(MoveReport::outcome)
                    .containsExactly(MoveReport.Outcome.ABORTED);
        }
        assertThat(lab.owners(tenant)).containsExactly(s1);
    }

    /** The directory gives no answer to a renewal: the mover stops by its own count, before the lease is over. */
    @Test
    void e10_moverWhoseHeartbeatFailsStopsBeforeTheLeaseIsOver() throws Exception {
        Skewed clocks = Skewed.by(Duration.ZERO);
        CountDownLatch silent = new CountDownLatch(1);
        MoveEngine mover = engine(clocks, renewals(silent));
        MovePlan plan = mover.plan(tenant, s2);
        Throwable stopped = catchThrowable(() -> mover.execute(plan, PhaseListener.at(MovePhase.COPYING, move -> {
            silent.countDown();
            // what the mover counts is its own silence: half a minute of it passes on its clock only
            clocks.nanos().addAndGet(LEASE.duration().toNanos());
        })));
        assertThat(stopped).isInstanceOf(MoveException.class);
        assertThat(lab.journal.find(plan.move()).orElseThrow().leaseExpired())
                .as("by the directory's clock the lease is not over yet")
                .isFalse();
        assertThat(lab.owners(tenant)).as("nothing was flipped").doesNotContain(s2);
        assertThat(silent.await(0, TimeUnit.SECONDS)).isTrue();
        lab.expire(plan.move());
        lab.engine(CONFIG).recover();
        assertThat(lab.owners(tenant)).containsExactly(s1);
        assertThatThrownBy(() -> lab.run(s2, "INSERT INTO app.entries VALUES (?, 2, 2)", tenant.value()))
                .hasMessageContaining("homeshard");
    }

    /** The journal, which answers no renewal from some moment on. */
    private static MoveJournal renewals(CountDownLatch silent) {
        return (MoveJournal) Proxy.newProxyInstance(
                MoveJournal.class.getClassLoader(), new Class<?>[] {MoveJournal.class}, (proxy, method, arguments) -> {
                    boolean lease =
                            method.getName().equals("renew") || method.getName().equals("advance");
                    if (lease && silent.getCount() == 0) {
                        throw new DirectoryUnavailableException("directory - is silent in this test", null);
                    }
                    try {
                        return method.invoke(lab.journal, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
