package io.homeshard.migrate.drain;

import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.move.MoveException;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a drain: first what others have begun and left, then the plan, then whoever came meanwhile. */
final class DrainRun {
    private static final Logger log = LoggerFactory.getLogger(DrainRun.class);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration TELL = Duration.ofSeconds(10);

    private final DrainParts parts;
    private final DrainPlan plan;
    private final DrainListener listener;
    private final DrainPlanner planner;
    private final Workers workers;
    private final ConcurrentLinkedQueue<MoveReport> moved = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<DrainFailure> failed = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<TenantId> left = new ConcurrentLinkedQueue<>();
    /** Tenants that this run has tried to move; each is tried once, unless all that was done was to undo an old move. */
    private final Set<TenantId> tried = ConcurrentHashMap.newKeySet();

    DrainRun(DrainParts parts, DrainPlan plan, DrainListener listener) {
        this.parts = parts;
        this.plan = plan;
        this.listener = listener;
        this.planner = new DrainPlanner(parts);
        this.workers = new Workers(plan.config().parallel());
    }

    DrainReport run() {
        log.info(
                "drain of shard {} - begins (tenants={}, underWay={}, rows={}, bytes={}, targets={})",
                plan.shard(),
                plan.moves().size(),
                plan.underWay().size(),
                plan.rows(),
                plan.bytes(),
                plan.targets());
        RuntimeException problem = null;
        try (workers) {
            moveAll();
        } catch (RuntimeException e) {
            // the moves that had begun have ended by now, and what became of them must not be lost
            log.warn("drain of shard {} - was broken off, drain again", plan.shard(), e);
            problem = e;
            plan.moves().stream().map(MovePlan::tenant).filter(tried::add).forEach(left::add);
        }
        DrainReport report =
                new DrainReport(plan.shard(), List.copyOf(moved), List.copyOf(failed), List.copyOf(left), problem);
        log.info(
                "drain of shard {} - ends (moved={}, failed={}, left={})",
                plan.shard(),
                report.moved().size(),
                report.failed().size(),
                report.left().size());
        return report;
    }

    private void moveAll() {
        goOnWithAbandoned();
        plan.moves().forEach(this::submit);
        workers.await();
        runLateComers();
        waitForOthers();
        runLateComers();
    }

    private void goOnWithAbandoned() {
        for (MoveRecord move : planner.underWay(plan.shard())) {
            if (move.leaseExpired() && tried.add(move.tenant())) {
                workers.submit(() -> resume(move), () -> left.add(move.tenant()));
            }
        }
    }

    private void submit(MovePlan move) {
        if (tried.add(move.tenant())) {
            workers.submit(() -> execute(move), () -> left.add(move.tenant()));
        }
    }

    /** Nobody is placed there since the shard is draining; whoever was before that, or has arrived, is there now. */
    private void runLateComers() {
        if (!workers.mayBegin()) {
            planner.placements(plan.shard()).stream()
                    .map(Placement::tenant)
                    .filter(tried::add)
                    .forEach(left::add);
            return;
        }
        DrainPlan late = planner.plan(plan.shard(), plan.config(), tried);
        late.unplanned().forEach((tenant, finding) -> fail(tenant, null, finding.toString()));
        for (MovePlan move : late.moves()) {
            MovePlan agreed = plan.agreed(move);
            if (agreed.obstacles().isEmpty()) {
                submit(agreed);
            } else {
                tried.add(move.tenant());
                fail(move.tenant(), null, "its move may not run: " + agreed.obstacles());
            }
        }
        workers.await();
    }

    /** Moves in the hands of others end, however long their movers are at it; where a lease runs out, this goes on with it. */
    private void waitForOthers() {
        long told = parts.clocks().nanoTime() - TELL.toNanos();
        while (true) {
            List<MoveRecord> others = planner.underWay(plan.shard()).stream()
                    .filter(move -> !tried.contains(move.tenant()))
                    .toList();
            if (others.isEmpty() || !workers.mayBegin()) {
                others.forEach(move -> left.add(move.tenant()));
                return;
            }
            goOnWithAbandoned();
            workers.await();
            if (parts.clocks().nanoTime() - told >= TELL.toNanos()) {
                told = parts.clocks().nanoTime();
                MoveRecord one = others.get(0);
                log.info(
                        "drain of shard {} - waits for moves of other movers (moves={}, one={}, phase={}, owner={})",
                        plan.shard(),
                        others.size(),
                        one.id(),
                        one.phase(),
                        one.leaseOwner());
            }
            workers.sleep(parts.clocks(), LOOK);
        }
    }

    private void execute(MovePlan move) {
        Optional<ShardId> home = parts.directory().find(move.tenant()).map(Placement::shard);
        if (!home.equals(Optional.of(plan.shard()))) {
            return;
        }
        attempt(move.tenant(), () -> {
            MovePlan fresh = fresh(move);
            return parts.engine().execute(fresh, begun(fresh));
        });
    }

    /** A plan is executed once; where an earlier run of this drain has used it, it is made again. */
    private MovePlan fresh(MovePlan move) {
        return parts.journal().find(move.move()).isEmpty()
                ? move
                : plan.agreed(parts.engine().plan(move.tenant(), move.target()));
    }

    private void resume(MoveRecord move) {
        attempt(move.tenant(), () -> parts.engine().resume(move.id(), MoveListener.NONE));
    }

    /** A move that was cancelled once is undone when it is gone on with; then the tenant is as if it had not begun. */
    private void ended(MoveReport report) {
        if (report.outcome() == MoveReport.Outcome.ABORTED) {
            tried.remove(report.tenant());
            return;
        }
        moved.add(report);
        guarded(() -> listener.moved(report));
    }

    private void attempt(TenantId tenant, Supplier<MoveReport> work) {
        try {
            ended(work.get());
        } catch (RuntimeException e) {
            log.warn("drain of shard {} - a tenant was not moved", plan.shard(), e);
            fail(tenant, e instanceof MoveException known ? known.move() : null, String.valueOf(e.getMessage()));
        }
    }

    private void fail(TenantId tenant, @Nullable UUID move, String reason) {
        if (!plan.config().goOnAfterFailure()) {
            workers.stop();
        }
        DrainFailure failure = new DrainFailure(tenant, move, reason);
        failed.add(failure);
        guarded(() -> listener.failed(failure));
    }

    private MoveListener begun(MovePlan move) {
        try {
            return listener.begun(move);
        } catch (RuntimeException e) {
            log.warn("drain listener threw; the drain goes on", e);
            return MoveListener.NONE;
        }
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.warn("drain listener threw; the drain goes on", e);
        }
    }
}
