package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.migrate.TenantMover;
import io.homeshard.migrate.move.LeaseTimes;
import io.homeshard.migrate.move.MoveConfig;
import io.homeshard.migrate.move.MoveReport;
import io.homeshard.model.TenantFrozenException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A mover in a process of its own is killed in the middle of its copy.
 *
 * @param homeshard the service
 * @param console where to print
 */
record LostMover(Homeshard homeshard, Console console) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(250);

    /** Short, so that the runbook need not wait; 30 s by default. */
    static final MoveConfig SHORT_LEASE =
            MoveConfig.defaults().lease(new LeaseTimes(Duration.ofSeconds(3), Duration.ofSeconds(1)));

    void killAndRecover(Address directory) throws SQLException, InterruptedException {
        console.section("the mover is killed while it copies");
        killInTheCopy(directory);
        try {
            Desk.write(homeshard, SingleMove.ACME);
            console.line("acme writes");
        } catch (TenantFrozenException e) {
            console.line("acme writes: %s", e.getMessage());
        }
        TenantMover mover = TenantMover.of(homeshard, SHORT_LEASE);
        List<MoveReport> reports = mover.recover();
        console.line("recover(), at once: %s", reports);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (reports.isEmpty() && System.nanoTime() < deadline) {
            // an operator's timer: a lease ends by the directory's clock, which tells nobody
            Thread.sleep(PAUSE.toMillis());
            reports = mover.recover();
        }
        for (MoveReport report : reports) {
            console.line("recover(), when the lease is over: %s, %s", report.outcome(), report.reason());
        }
        console.line(
                "acme writes on %s: %d tickets closed",
                homeshard.tenants().find(SingleMove.ACME).orElseThrow().shard(),
                Desk.write(homeshard, SingleMove.ACME));
    }

    private static void killInTheCopy(Address directory) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-classpath",
                            System.getProperty("java.class.path"),
                            Runbook.class.getName(),
                            directory.url(),
                            directory.user(),
                            directory.password())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.equals(DoomedMover.COPYING)) {
                        process.destroyForcibly().waitFor();
                        return;
                    }
                }
                throw new IllegalStateException("mover ended before it copied anything");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
