package io.homeshard.examples.quickstart;

import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.move.MoveListener;
import io.homeshard.migrate.move.MovePlan;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.migrate.move.PhaseTiming;
import io.homeshard.migrate.move.TableReport;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints what a person wants to see. Each line is printed whole; {@link #progress} may come from a thread of its own. All
 * times are seconds since the start.
 */
final class Narration {
    private static final long COPY_PROGRESS_ROWS = 20_000;

    private final PrintStream out;
    private final long begun = System.nanoTime();
    /** Used by {@link #progress} only. */
    private long lastProgress;

    private long lastCount;

    Narration(PrintStream out) {
        this.out = out;
    }

    void step(String format, Object... values) {
        line("%n%s %s", clock(), String.format(Locale.ROOT, format, values));
    }

    private String clock() {
        return String.format(Locale.ROOT, "[%5.1f s]", (System.nanoTime() - begun) / 1e9);
    }

    void loaded(Map<ShardId, ShardFigures> figures) {
        Table table = new Table("shard", "tenants", "rows");
        figures.forEach((shard, figure) -> table.row(shard, figure.tenants(), figure.rows()));
        table.row(
                "all",
                figures.values().stream().mapToInt(ShardFigures::tenants).sum(),
                figures.values().stream().mapToLong(ShardFigures::rows).sum());
        table.print(out);
    }

    /** One line about the load since the last call. By one thread at a time. */
    void progress(ClientLog log) {
        long now = System.nanoTime();
        long count = log.count();
        String rate = lastProgress == 0
                ? ""
                : String.format(Locale.ROOT, ", %5.0f/s", (count - lastCount) * 1e9 / (now - lastProgress));
        line("%s   %6d checkouts%s, %d of the largest tenant", clock(), count, rate, log.countOfMoving());
        lastProgress = now;
        lastCount = count;
    }

    void plan(MovePlan plan) {
        line(
                "%s   plan: %s from %s to %s, about %d rows, %.1f MB, %d findings",
                clock(),
                plan.tenant(),
                plan.source(),
                plan.target(),
                plan.rows(),
                plan.bytes() / 1e6,
                plan.findings().size());
        plan.findings().forEach(finding -> line("    %s", finding));
    }

    MoveListener moveListener(MovePlan plan) {
        return new MoveListener() {
            private long next = COPY_PROGRESS_ROWS;

            @Override
            public void phase(MoveRecord move) {
                line("%s   move: %s", clock(), move.phase());
            }

            @Override
            public void progress(TableName table, long rows, long bytes) {
                if (rows >= next) {
                    line("%s     %s: %d rows, %.1f MB", clock(), table, rows, bytes / 1e6);
                    next = rows + COPY_PROGRESS_ROWS;
                }
            }
        };
    }

    boolean verdict(
            Evidence evidence,
            Map<ShardId, ShardFigures> after,
            Accounting.Verdict verdict,
            int claimsApart,
            QuickstartOptions options) {
        shards(evidence, after);
        move(evidence.report());
        neighbours(evidence);
        writers(evidence);
        totals(after, evidence);
        List<String> differences = differences(evidence, verdict, claimsApart);
        line("");
        if (!differences.isEmpty()) {
            line("quickstart: FAILED");
            differences.forEach(difference -> line("  %s", difference));
            evidence.log().failures().forEach((text, count) -> line("  failed checkouts: %d x %s", count.sum(), text));
            return false;
        }
        line(
                "quickstart: ok tenants=%d acknowledged=%d found=%d in_doubt=%d lost=%d duplicated=%d misplaced=%d"
                        + " others_failed=%d refused_stale_writes=%d freeze_ms=%d move_ms=%d",
                options.tenants(),
                verdict.acknowledged(),
                verdict.found(),
                verdict.inDoubt(),
                verdict.lost(),
                verdict.duplicated(),
                verdict.misplaced(),
                evidence.log().othersFailed(),
                evidence.writers().refused(),
                evidence.freezeMillis(),
                moveMillis(evidence));
        return true;
    }

    private static List<String> differences(Evidence evidence, Accounting.Verdict verdict, int claimsApart) {
        List<String> differences = new ArrayList<>();
        expect(differences, "acknowledged orders lost", verdict.lost(), 0);
        expect(differences, "acknowledged orders found", verdict.found(), verdict.acknowledged());
        expect(differences, "orders duplicated", verdict.duplicated(), 0);
        expect(differences, "orders misplaced", verdict.misplaced(), 0);
        expect(differences, "failed checkouts of other tenants", evidence.log().othersFailed(), 0);
        expect(differences, "failed checkouts", evidence.log().failures().size(), 0);
        expect(differences, "e-mail claims without learner, or learners without claim", claimsApart, 0);
        if (verdict.inDoubtFound() > verdict.inDoubt()) {
            differences.add("more orders in doubt were found than there are");
        }
        if (evidence.report().outcome() != MoveReport.Outcome.MOVED) {
            differences.add("the move ended " + evidence.report().outcome() + ": "
                    + evidence.report().reason());
        }
        for (boolean old : new boolean[] {true, false}) {
            if (evidence.ofMoving(old) < 500) {
                differences.add("checkouts of the moving tenant " + (old ? "before" : "after") + " the move: "
                        + evidence.ofMoving(old) + ", wanted 500");
            }
        }
        evidence.writers().outcomes().forEach((kind, state) -> {
            if (!state.equals("HS001")) {
                differences.add("stale write by " + kind + ": " + state + ", wanted HS001");
            }
        });
        if (!evidence.writers().allRefused()) {
            differences.add("no kind of stale writer may be let in");
        }
        return differences;
    }

    private static void expect(List<String> differences, String what, int actual, int wanted) {
        if (actual != wanted) {
            differences.add(what + ": " + actual + ", wanted " + wanted);
        }
    }

    private void shards(Evidence evidence, Map<ShardId, ShardFigures> after) {
        line("%nShards before the load and after it", "");
        Timeline time = evidence.timeline();
        Map<ShardId, Double> ratesBefore = rates(evidence.log(), time.loadBegun(), time.moveBegun());
        Map<ShardId, Double> ratesAfter = rates(evidence.log(), time.moveEnded(), time.loadEnded());
        Table table = new Table("shard", "tenants", "rows", "checkouts/s", "tenants", "rows", "checkouts/s");
        after.forEach((shard, now) -> {
            ShardFigures was = evidence.before().get(shard);
            table.row(
                    shard,
                    was == null ? "-" : was.tenants(),
                    was == null ? "-" : was.rows(),
                    was == null ? "-" : format(ratesBefore.getOrDefault(shard, 0.0)),
                    now.tenants(),
                    now.rows(),
                    format(ratesAfter.getOrDefault(shard, 0.0)));
        });
        table.print(out);
        line(
                "  (rows of %s after the move include the retained ones of the tenant that has left)",
                evidence.oldShard());
    }

    private static Map<ShardId, Double> rates(ClientLog log, long from, long to) {
        Map<ShardId, Double> rates = new TreeMap<>();
        for (Acknowledged order : log.acknowledged()) {
            if (order.acknowledged() >= from && order.acknowledged() < to) {
                rates.merge(order.shard(), 1e9 / (to - from), Double::sum);
            }
        }
        return rates;
    }

    private void move(MoveReport report) {
        line("%nMove of %s from %s to %s", report.tenant(), report.source(), report.target());
        Table phases = new Table("phase", "ms");
        for (PhaseTiming timing : report.phases()) {
            phases.row(timing.phase(), timing.millis());
        }
        phases.print(out);
        line("%nVerified, both sides read afresh", "");
        Table tables =
                new Table("table", "rows", "digest on " + report.source(), "digest on " + report.target(), "sums");
        for (TableReport table : report.tables()) {
            tables.row(
                    table.table(),
                    table.rows(),
                    digest(table.source().high(), table.source().low()),
                    digest(table.target().high(), table.target().low()),
                    table.sums());
        }
        tables.print(out);
    }

    private static String digest(BigDecimal high, BigDecimal low) {
        return String.format(
                Locale.ROOT,
                "%016x%016x",
                high.toBigInteger().longValue(),
                low.toBigInteger().longValue());
    }

    private void neighbours(Evidence evidence) {
        Timeline time = evidence.timeline();
        line("%nAs the writers felt it", "");
        Table table = Table.ofText("what", "value");
        table.row(
                "writes of the moved tenant stood still (last on the old shard to first on the new)",
                evidence.freezeMillis() + " ms");
        table.row("its checkouts run again in a new scope", evidence.log().retries());
        table.row("failed checkouts of other tenants", evidence.log().othersFailed());
        table.row(
                "p99 of other tenants before the move",
                Latencies.p99(evidence.log().acknowledged(), evidence.moving(), time.loadBegun(), time.moveBegun()));
        table.row(
                "p99 of other tenants during the move",
                Latencies.p99(evidence.log().acknowledged(), evidence.moving(), time.moveBegun(), time.moveEnded()));
        table.print(out);
    }

    private void writers(Evidence evidence) {
        line("%nWriters that know nothing of the move, on shard %s", evidence.oldShard());
        line("  (HS001 is the guard's SQLState for: this shard does not own the tenant)");
        Table table = new Table("writer", "PostgreSQL says");
        evidence.writers().outcomes().forEach(table::row);
        table.row("unknown tenant, reaches no shard", evidence.unknown());
        table.print(out);
    }

    private void totals(Map<ShardId, ShardFigures> after, Evidence evidence) {
        BigDecimal all = after.values().stream().map(ShardFigures::orders).reduce(BigDecimal.ZERO, BigDecimal::add);
        ShardFigures one = after.get(evidence.oldShard());
        line(
                "%nOrder totals: %s on shard %s alone, %s on all: a sum over tenants that asks one shard is incomplete.",
                one == null ? "-" : one.orders(), evidence.oldShard(), all);
    }

    private static long moveMillis(Evidence evidence) {
        return (evidence.timeline().moveEnded() - evidence.timeline().moveBegun()) / 1_000_000;
    }

    private static String format(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    /** Makes the whole text first: a line of the main thread and one of the ticker do not mix. */
    private void line(String format, Object... values) {
        out.print(String.format(Locale.ROOT, format + "%n", values));
        out.flush();
    }
}
