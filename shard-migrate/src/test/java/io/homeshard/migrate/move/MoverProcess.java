package io.homeshard.migrate.move;

import io.homeshard.directory.Directory;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** A JVM of its own that moves a tenant, or cleans after a move, and waits at a point to be killed there. */
final class MoverProcess {
    private static final String REACHED = "reached ";

    private MoverProcess() {}

    /** Runs a mover until it says that it has reached the point, and kills it with SIGKILL. */
    static void killedAt(MoveLab lab, String point, String task, TenantId tenant, String argument)
            throws IOException, InterruptedException {
        Process process = start(lab, point, task, tenant, argument);
        try {
            awaitPoint(process, point);
        } finally {
            kill(process);
        }
    }

    /** Cancels a move from another process, and waits for its end. */
    static void cancels(MoveLab lab, TenantId tenant, UUID move) throws IOException, InterruptedException {
        Process process = start(lab, "-", "cancel", tenant, move.toString());
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            if (!"ended".equals(lines.readLine())) {
                throw new AssertionError("the other process did not cancel the move");
            }
        } finally {
            kill(process);
        }
    }

    /** Runs a mover with a short lease until it has reached the point, and stops the process with SIGSTOP. */
    static Paused pausedAt(MoveLab lab, String point, TenantId tenant, String target)
            throws IOException, InterruptedException {
        Process process = start(lab, point, "paused", tenant, target);
        BufferedReader lines = awaitPoint(process, point);
        signal(process, "STOP");
        return new Paused(process, lines);
    }

    /** A stopped mover. */
    record Paused(Process process, BufferedReader lines) implements AutoCloseable {
        /** Lets it run on to its end; returns the last thing that it said. */
        String wakeUp() throws IOException, InterruptedException {
            signal(process, "CONT");
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            return String.valueOf(lines.readLine());
        }

        @Override
        public void close() throws InterruptedException {
            kill(process);
        }
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        int rc = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (rc != 0) {
            throw new AssertionError("kill -" + name + " failed: " + rc);
        }
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new AssertionError("mover process did not die");
        }
    }

    private static BufferedReader awaitPoint(Process process, String point) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        if (!(REACHED + point).equals(line)) {
            process.destroyForcibly();
            throw new AssertionError("mover process did not reach " + point + ", it said: " + line);
        }
        return lines;
    }

    private static Process start(MoveLab lab, String point, String task, TenantId tenant, String argument)
            throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MoverProcess.class.getName(),
                        lab.cluster.directory().jdbcUrl(),
                        lab.cluster.directory().user(),
                        lab.cluster.directory().password(),
                        point,
                        task,
                        tenant.value(),
                        argument)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    public static void main(String[] args) {
        PGSimpleDataSource directory = new PGSimpleDataSource();
        directory.setUrl(args[0]);
        directory.setUser(args[1]);
        directory.setPassword(args[2]);
        String point = args[3];
        MoveParts parts = new MoveParts(
                Directory.jdbc(directory),
                MoveJournal.jdbc(directory),
                WriteGuard.create(),
                new PlainPools(args[1], args[2]),
                Shop.TABLES,
                Clocks.system(),
                args[4].equals("paused") ? MoveLab.SHORT_LEASE : MoveLab.CONFIG);
        MoveEngine engine = new MoveEngine(parts, here -> stopAt(point, here.toString()));
        TenantId tenant = TenantId.of(args[5]);
        switch (args[4]) {
            case "move" -> engine.execute(engine.plan(tenant, ShardId.of(args[6])), listener(point));
            case "paused" -> paused(engine, tenant, ShardId.of(args[6]), point);
            case "cancelled" -> cancelled(engine, parts, tenant, ShardId.of(args[6]), point);
            case "cancel" -> engine.cancel(UUID.fromString(args[6]), "another process");
            case "clean" -> engine.clean(UUID.fromString(args[6]), true);
            default -> throw new IllegalArgumentException(List.of(args).toString());
        }
        say("ended");
    }

    private static void cancelled(MoveEngine engine, MoveParts parts, TenantId tenant, ShardId target, String point) {
        MovePlan plan = engine.plan(tenant, target);
        engine.execute(plan, new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                if (move.phase().name().equals("COPYING")) {
                    parts.journal().cancel(plan.move(), "test");
                }
                stopAt(point, move.phase().name());
            }
        });
    }

    private static void paused(MoveEngine engine, TenantId tenant, ShardId target, String point) {
        try {
            engine.execute(engine.plan(tenant, target), new MoveListener() {
                @Override
                public void phase(MoveRecord move) {
                    if (point.equals(move.phase().name())) {
                        say(REACHED + point);
                        awaitInput();
                    }
                }
            });
        } catch (MoveException e) {
            say(e.toString());
        }
    }

    private static void awaitInput() {
        try {
            System.in.read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MoveListener listener(String point) {
        return new MoveListener() {
            @Override
            public void phase(MoveRecord move) {
                stopAt(point, move.phase().name());
            }
        };
    }

    private static void stopAt(String point, String here) {
        if (point.equals(here)) {
            say(REACHED + here);
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
