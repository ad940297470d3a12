package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.TenantId;
import io.homeshard.test.FaultProxy;
import io.homeshard.test.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Plays one cell: the story, the fault, everything is restarted, recover(), and then what must be so. */
final class CrashRun implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final long MOMENT_MILLIS = 300;

    /** The mover gave up before the point, as it may on a machine that is too busy for its short times. */
    static final class NotReached extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final CrashScene scene;
    private final MoveLab lab;
    private final CrashCell cell;
    private final CrashStory story;
    private final TenantId tenant = TenantId.of("t " + UUID.randomUUID());
    private final List<String> books;
    final CrashWitness witness;
    final List<CrashWriter> writers;
    private final List<Connection> lingering = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    CrashRun(CrashScene scene, CrashCell cell) throws SQLException {
        this.scene = scene;
        this.lab = scene.lab;
        this.cell = cell;
        this.story = CrashStory.of(cell.point().step());
        this.books = scene.create(tenant, CrashScene.S1);
        this.witness = new CrashWitness(lab, tenant);
        this.writers =
                List.of(new CrashWriter(lab, CrashScene.S1, tenant), new CrashWriter(lab, CrashScene.S2, tenant));
    }

    /** Returns the shard that has the tenant in the end. */
    String play(CrashJvms jvms) throws Exception {
        awaitWrites();
        story.prepare(lab, tenant, lingering);
        if (cell.fault().ofJvm()) {
            inJvm(jvms);
        } else {
            here();
        }
        witness.look("when the mover was gone");
        scene.heal();
        settle();
        awaitWrites();
        clean();
        close();
        return new CrashVerdict(scene, tenant, books, writers, witness).owner().value();
    }

    private void inJvm(CrashJvms jvms) throws Exception {
        CrashJvm jvm = jvms.take();
        if (!jvm.begin(story.task(), tenant, cell.point())) {
            jvms.giveBack(jvm);
            throw new NotReached();
        }
        witness.look("at the point");
        if (cell.fault() == CrashFault.KILLED) {
            jvms.kill(jvm);
            return;
        }
        jvm.signal("STOP");
        finishInstead();
        witness.look("when another had finished");
        jvm.signal("CONT");
        jvm.goOn();
        jvm.awaitEnd();
        jvms.giveBack(jvm);
    }

    /** Another mover brings the move to an end: back, or after a step forward. */
    private void finishInstead() {
        scene.heal();
        expire();
        MoveEngine engine = patient();
        for (MoveRecord move : lab.journal.ofTenant(tenant)) {
            if (story.task() == CrashTask.CLEAN) {
                engine.clean(move.id(), true);
            } else if (!move.phase().finished() && cell.point().when() == CrashPoint.When.AFTER) {
                resume(engine, move.id());
            }
        }
        assertSettled(engine.recover());
    }

    private void resume(MoveEngine engine, UUID move) {
        try {
            engine.resume(move, MoveListener.NONE);
        } catch (MoveException e) {
            assertThat(lab.journal.find(move).orElseThrow().phase())
                    .as(e.getMessage())
                    .isEqualTo(MovePhase.ABORTED);
        }
    }

    private void here() throws Exception {
        CrashTrap trap = new CrashTrap(cell.point(), this::fault);
        StepHook hook = point -> {
            witness.look(point.toString());
            trap.reached(point);
        };
        MoveParts parts = cell.fault() == CrashFault.CUT_OFF ? scene.proxied() : lab.parts(CrashScene.CONFIG);
        Thread mover = new Thread(() -> run(parts, hook), "mover of " + tenant);
        mover.setDaemon(true);
        mover.start();
        mover.join(LONGEST.toMillis());
        if (mover.isAlive()) {
            AssertionError hangs = new AssertionError("mover hangs");
            hangs.setStackTrace(mover.getStackTrace());
            throw hangs;
        }
        assertThat(failure.get()).isNull();
        if (!trap.sprung()) {
            throw new NotReached();
        }
    }

    private void run(MoveParts parts, StepHook hook) {
        try {
            story.task().run(parts, hook, tenant);
        } catch (RuntimeException | SimulatedCrash e) {
            // who looks at the shards afterwards judges what it left
        } catch (Error e) {
            failure.set(e);
        }
    }

    private void fault() {
        try {
            switch (cell.fault()) {
                case STOPPED_DEAD -> throw new SimulatedCrash(cell.point());
                case DIRECTORY_STOPPED, SOURCE_STOPPED, TARGET_STOPPED -> stop(scene.server(cell.fault()));
                case CUT_OFF -> cutOff();
                default -> throw new IllegalStateException(cell.toString());
            }
        } catch (RuntimeException e) {
            failure.set(e);
            throw e;
        }
    }

    private void stop(PostgresServer server) {
        server.stop();
        if (cell.point().when() == CrashPoint.When.AFTER) {
            server.start();
        }
    }

    private void cutOff() {
        if (cell.point().when() == CrashPoint.When.BEFORE) {
            scene.proxies.forEach(FaultProxy::cut);
            CompletableFuture.delayedExecutor(MOMENT_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> scene.proxies.forEach(FaultProxy::heal));
        } else {
            scene.proxies.get(0).cut();
            scene.proxies.get(1).blackHole();
            scene.proxies.get(2).blackHole();
        }
    }

    private void expire() {
        lab.journal.ofTenant(tenant).forEach(move -> lab.expire(move.id()));
    }

    private void settle() {
        expire();
        assertSettled(patient().recover());
        if (story == CrashStory.RETURNED || story == CrashStory.SOURCE_GIVEN_UP) {
            // what a shard that did not answer was not told, a person's order leaves to reconciliation
            CutOffPools.reconciliation(lab, Set.of()).reconcile();
        }
        assertThat(lab.journal.ofTenant(tenant))
                .allSatisfy(move -> assertThat(move.phase().finished())
                        .as("finished: %s", move)
                        .isTrue());
    }

    private MoveEngine patient() {
        return MoveEngine.of(lab.parts(CrashScene.PATIENT));
    }

    private void assertSettled(List<MoveReport> reports) {
        assertThat(reports)
                .filteredOn(report -> report.tenant().equals(tenant))
                .extracting(MoveReport::outcome)
                .doesNotContain(MoveReport.Outcome.UNSETTLED);
    }

    private void awaitWrites() {
        int before = acknowledged();
        MoveLab.await(
                () -> acknowledged() >= before + 3 || writers.stream().anyMatch(writer -> writer.failure() != null));
        assertThat(writers).extracting(CrashWriter::failure).containsOnlyNulls();
    }

    private int acknowledged() {
        return writers.stream().mapToInt(writer -> writer.acknowledged.size()).sum();
    }

    private void clean() {
        expire();
        lab.journal.ofTenant(tenant).stream()
                .filter(move -> move.phase() == MovePhase.RETAINED || move.phase() == MovePhase.CLEANING)
                .forEach(move -> patient().clean(move.id(), true));
    }

    @Override
    public void close() throws InterruptedException {
        // first: a writer may be waiting for one of them
        lingering.forEach(CrashWitness::shut);
        for (CrashWriter writer : writers) {
            writer.close();
        }
        witness.close();
    }
}
