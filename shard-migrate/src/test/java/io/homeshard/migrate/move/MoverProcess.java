package io.homeshard.migrate.move;

import io.homeshard.directory.Directory;
import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MoveRecord;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import java.io.BufferedReader;
import java.io.File;
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
        Process process = new ProcessBuilder(
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
                .directory(new File("."))
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            if (!(REACHED + point).equals(line)) {
                throw new AssertionError("mover process did not reach " + point + ", it said: " + line);
            }
        } finally {
            process.destroyForcibly();
        }
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new AssertionError("mover process did not die");
        }
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
                MoveLab.CONFIG);
        MoveEngine engine = new MoveEngine(parts, effect -> stopAt(point, effect.name()));
        TenantId tenant = TenantId.of(args[5]);
        switch (args[4]) {
            case "move" -> engine.execute(engine.plan(tenant, ShardId.of(args[6])), listener(point));
            case "cancelled" -> cancelled(engine, parts, tenant, ShardId.of(args[6]), point);
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
