package io.homeshard.migrate.move;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How fast rows travel, beside two psql with a pipe between them, and for how long a tenant of some size is frozen.
 *
 * @param rows of the one table that is copied
 * @param repeats of all contenders, in turn
 * @param moved sizes of tenants that are moved
 */
record CopyBench(int rows, int repeats, List<Integer> moved) {
    /** For figures. */
    static CopyBench full() {
        return new CopyBench(1_000_000, 5, List.of(1_000, 100_000, 1_000_000));
    }

    /** For a first look. */
    static CopyBench brief() {
        return new CopyBench(200_000, 3, List.of(1_000, 50_000));
    }

    /** To see that all works. */
    static CopyBench tiny() {
        return new CopyBench(5_000, 1, List.of(1_000));
    }

    /** One contender: who copies, in how many streams, onto which shard. */
    private record Contender(String name, int streams, ShardId target, boolean guarded) {}

    /** Copies with all contenders in turn; returns the lines of a file, the header first. */
    List<String> copies() throws SQLException, IOException, InterruptedException {
        List<String> lines = new ArrayList<>(List.of("repeat;contender;target;rows;megabytes;seconds"));
        // shards lie on two servers in turn: the targets are not on the source's
        try (MoveLab lab = MoveLab.with(4, BenchTable.TABLES, BenchTable.DDL)) {
            ShardId source = lab.shard(1);
            List<Contender> contenders = contenders(lab);
            lab.tenant(MoveLab.ACME, source);
            BenchTable.fill(lab, source, MoveLab.ACME, rows);
            double megabytes = lab.count(source, "SELECT pg_relation_size('app.orders')") / 1e6;
            CopyContest contest = new CopyContest(lab, source);
            contest.reserve(lab.shard(2));
            contest.reserve(lab.shard(4));
            for (int repeat = 0; repeat <= repeats; repeat++) {
                for (Contender contender : contenders) {
                    double seconds = run(contest, contender);
                    String line = String.format(
                            Locale.ROOT,
                            "%d;%s;%s;%d;%.1f;%.3f",
                            repeat,
                            contender.name(),
                            contender.guarded() ? "guarded" : "unguarded",
                            rows,
                            megabytes,
                            seconds);
                    System.out.println("bench " + line);
                    if (repeat > 0) { // the first round warms all of them up
                        lines.add(line);
                    }
                }
            }
        }
        return lines;
    }

    private static List<Contender> contenders(MoveLab lab) {
        List<Contender> contenders = new ArrayList<>();
        for (boolean guarded : new boolean[] {true, false}) {
            ShardId target = lab.shard(guarded ? 2 : 4);
            contenders.add(new Contender("psql", 0, target, guarded));
            contenders.add(new Contender("one stream", 1, target, guarded));
            contenders.add(new Contender("four streams", 4, target, guarded));
        }
        return contenders;
    }

    private double run(CopyContest contest, Contender contender)
            throws SQLException, IOException, InterruptedException {
        contest.prepare(contender.target(), contender.guarded());
        double seconds = contender.streams() == 0
                ? contest.psql(contender.target())
                : contest.homeshard(contender.target(), contender.streams());
        if (contest.rows(contender.target()) != rows) {
            throw new IllegalStateException(contender + " lost rows: " + contest.rows(contender.target()));
        }
        return seconds;
    }

    /** Moves tenants of each size; returns the lines of a file, the header first. */
    List<String> moves() throws SQLException {
        List<String> lines = new ArrayList<>(List.of("repeat;rows;frozen_ms;copy_ms;verify_ms;total_ms"));
        try (MoveLab lab = MoveLab.with(2, BenchTable.TABLES, BenchTable.DDL)) {
            for (int size : moved) {
                for (int repeat = 0; repeat <= Math.min(repeats, 3); repeat++) {
                    TenantId tenant = TenantId.of("tenant-" + size + "-" + repeat);
                    lab.tenant(tenant, lab.shard(1));
                    BenchTable.fill(lab, lab.shard(1), tenant, size);
                    String line = move(lab, tenant, repeat, size);
                    System.out.println("bench " + line);
                    if (repeat > 0) {
                        lines.add(line);
                    }
                }
            }
        }
        return lines;
    }

    private static String move(MoveLab lab, TenantId tenant, int repeat, int size) {
        StepTimer timer = new StepTimer();
        MoveEngine engine = lab.engine(MoveLab.CONFIG, timer);
        long begun = System.nanoTime();
        MoveReport report = engine.execute(engine.plan(tenant, lab.shard(2)), MoveListener.NONE);
        long total = (System.nanoTime() - begun) / 1_000_000;
        if (report.outcome() != MoveReport.Outcome.MOVED || report.rows() != size) {
            throw new IllegalStateException("move failed: " + report);
        }
        return String.format(
                Locale.ROOT,
                "%d;%d;%d;%d;%d;%d",
                repeat,
                size,
                report.freezeMillis(),
                timer.millis(Step.COPY_ROWS),
                timer.millis(Step.COMPARE),
                total);
    }

    static void write(Path file, List<String> lines) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, lines.stream().collect(Collectors.joining("\n", "", "\n")));
    }
}
