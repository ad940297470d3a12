package io.homeshard.migrate.move;

import io.homeshard.directory.Directory;
import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.TenantId;
import io.homeshard.observe.Clocks;
import io.homeshard.test.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** A JVM that runs one mover after the other as it is told, and waits at their crash points. */
final class CrashJvm implements AutoCloseable {
    private static final String READY = "ready";
    private static final String REACHED = "reached";
    private final Process process;
    private final BufferedReader lines;
    private boolean ready;

    private CrashJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts one; it gets ready by itself. */
    static CrashJvm start(Database directory) {
        try {
            return new CrashJvm(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            CrashJvm.class.getName(),
                            directory.jdbcUrl(),
                            directory.user(),
                            directory.password())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins a task; returns whether the mover waits at the point, else it is over. */
    boolean begin(CrashTask task, TenantId tenant, CrashPoint point) throws IOException {
        awaitEnd();
        ready = false;
        say(task + "|" + tenant.value() + "|" + point);
        String said = lines.readLine();
        ready = READY.equals(said);
        return REACHED.equals(said);
    }

    /** Lets the mover go on to its end. */
    void goOn() throws IOException {
        say("go on");
    }

    /** Waits until the next task may begin. */
    void awaitEnd() throws IOException {
        if (!ready) {
            String said = lines.readLine();
            ready = READY.equals(said);
            if (!ready) {
                throw new IllegalStateException("mover's JVM is not ready, it said " + said);
            }
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        int rc = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (rc != 0) {
            throw new IllegalStateException("kill -" + name + " failed: " + rc);
        }
    }

    private void say(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("mover's JVM did not die");
        }
    }

    public static void main(String[] args) throws IOException {
        PGSimpleDataSource directory = new PGSimpleDataSource();
        directory.setUrl(args[0]);
        directory.setUser(args[1]);
        directory.setPassword(args[2]);
        MoveParts parts = new MoveParts(
                Directory.jdbc(directory),
                MoveJournal.jdbc(directory),
                WriteGuard.create(),
                new PlainPools(args[1], args[2]),
                CrashScene.TABLES,
                Clocks.system(),
                CrashScene.CONFIG);
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        tell(READY);
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            String[] words = line.split("\\|");
            StepHook trap = new CrashTrap(CrashPoint.of(words[2]), () -> stay(told));
            try {
                CrashTask.valueOf(words[0]).run(parts, trap, TenantId.of(words[1]));
            } catch (RuntimeException e) {
                // who looks at the shards afterwards judges what it left
            }
            tell(READY);
        }
    }

    private static void stay(BufferedReader told) {
        tell(REACHED);
        try {
            told.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
