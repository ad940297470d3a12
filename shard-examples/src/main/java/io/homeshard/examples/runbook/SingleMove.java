package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveProgress;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.copy.CopyLimits;
import io.homeshard.migrate.move.Certificate;
import io.homeshard.migrate.move.MoveConfig;
import io.homeshard.migrate.move.MoveException;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.migrate.move.PhaseTiming;
import io.homeshard.migrate.move.PlannedTable;
import io.homeshard.migrate.move.TableReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** One tenant: planned, moved, watched, cancelled, moved back, cleaned. */
final class SingleMove {
    static final TenantId ACME = TenantId.of("acme");
    static final ShardId S1 = ShardId.of("s1");
    static final ShardId S2 = ShardId.of("s2");
    static final ShardId S3 = ShardId.of("s3");

    private final Homeshard homeshard;
    private final Console console;
    private final TenantMover mover;

    private SingleMove(Homeshard homeshard, Console console) {
        this.homeshard = homeshard;
        this.console = console;
        this.mover = TenantMover.of(homeshard);
    }

    static SingleMove open(Homeshard homeshard, Console console) throws SQLException {
        Desk.open(homeshard, ACME, S1, 40);
        Desk.open(homeshard, TenantId.of("bolt"), S1, 2);
        Desk.open(homeshard, TenantId.of("cato"), S2, 2);
        return new SingleMove(homeshard, console);
    }

    void planAndRead() {
        console.section("plan: acme from s1 to s2");
        print(mover.plan(ACME, S2));
    }

    void execute() throws SQLException {
        console.section("execute");
        MovePlan plan = accepted(S2);
        MoveReport report = mover.execute(plan, new Narrator(console));
        print(report);
        console.line("acme writes on %s: %d tickets closed", where(), Desk.write(homeshard, ACME));
    }

    /** The listener of the move hands its id to whoever watches; in life that is another process. */
    void watchAndCancel() throws SQLException {
        console.section("watch from elsewhere, and cancel");
        MoveConfig slowly = MoveConfig.defaults().copy(CopyLimits.defaults().bytesPerSecond(200_000));
        TenantMover slow = TenantMover.of(homeshard, slowly);
        AtomicBoolean cancelled = new AtomicBoolean();
        try {
            slow.execute(accepted(S3), new MoveListener() {
                @Override
                public void progress(MoveProgress progress) {
                    if (cancelled.compareAndSet(false, true)) {
                        awaitProgress(progress.move());
                        mover.cancel(progress.move(), "the night is too short");
                    }
                }
            });
        } catch (MoveException e) {
            console.line("%s", e.getMessage());
        }
        console.line("acme writes on %s: %d tickets closed", where(), Desk.write(homeshard, ACME));
    }

    /** What another process sees in the directory, where the mover tells it with each renewal of its lease. */
    private void awaitProgress(UUID move) {
        Optional<MoveProgress> told = mover.progress(move);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (told.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            told = mover.progress(move);
        }
        told.ifPresent(this::print);
    }

    private void print(MoveProgress p) {
        for (MoveRecord open : mover.unfinished()) {
            console.line("unfinished: %s %s to %s in %s", open.tenant(), open.source(), open.target(), open.phase());
        }
        console.line(
                "progress: %d of about %d rows, %.0f %%, left %s",
                p.rows(), p.expectedRows(), 100 * p.share(), p.timeLeft().orElse(Duration.ZERO));
    }

    void budget() throws SQLException {
        console.section("no more than 5 ms of freeze");
        MovePlan plan = accepted(S3).freezeBudget(Duration.ofMillis(5));
        console.each(plan.obstacles());
        try {
            mover.execute(plan.accepting("freeze-over-budget"));
        } catch (MoveException e) {
            console.line("%s", e.getMessage());
        }
        console.line("acme writes on %s: %d tickets closed", where(), Desk.write(homeshard, ACME));
    }

    void back() throws SQLException {
        console.section("move back: an ordinary move");
        print(mover.execute(accepted(S1)));
        console.line("acme writes on %s: %d tickets closed", where(), Desk.write(homeshard, ACME));
    }

    void cleanUp() {
        console.section("certificates, retained rows, and cleaning");
        for (MoveRecord old : mover.retained()) {
            Certificate certificate = mover.certificate(old.id());
            console.line("certificate: %s", certificate.hash());
            console.line("recheck: problems %s", mover.recheck(certificate).problems());
            console.line("retained: %s on %s since %s", old.tenant(), old.source(), old.phaseSince());
            try {
                mover.clean(old.id());
            } catch (MoveException e) {
                console.line("%s", e.getMessage());
            }
            console.line("cleanNow: %s", mover.cleanNow(old.id()).outcome());
        }
    }

    private MovePlan accepted(ShardId target) {
        MovePlan plan = mover.plan(ACME, target);
        String[] warnings = plan.obstacles().stream()
                .map(finding -> finding.name())
                .distinct()
                .toArray(String[]::new);
        return plan.accepting(warnings);
    }

    private ShardId where() {
        return homeshard.tenants().find(ACME).orElseThrow().shard();
    }

    private void print(MovePlan plan) {
        for (PlannedTable table : plan.tables()) {
            console.line("  %-16s about %6d rows, %8d bytes", table.table(), table.rows(), table.bytes());
        }
        console.line("findings: %d", plan.findings().size());
        console.each(plan.findings());
        console.line("in the way: %s", plan.obstacles());
    }

    private void print(MoveReport report) {
        console.line("%s, frozen for %d ms", report.outcome(), report.freezeMillis());
        for (TableReport table : report.tables()) {
            console.line("  %-16s %6d rows, %8d bytes", table.table(), table.rows(), table.bytes());
        }
        for (PhaseTiming phase : report.phases()) {
            console.line("  %-10s %5d ms", phase.phase(), phase.millis());
        }
    }

    /** Prints phases as they come. */
    private record Narrator(Console console) implements MoveListener {
        @Override
        public void phase(MoveRecord move) {
            if (move.phase() != MovePhase.RETAINED) {
                console.line("  %s", move.phase());
            }
        }
    }
}
