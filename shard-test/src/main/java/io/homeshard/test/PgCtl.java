package io.homeshard.test;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program {@code pg_ctl} for one data folder that has been started before. */
final class PgCtl {
    /** What pg_ctl itself waits for the server, in seconds; generous, since test machines are overloaded. */
    private static final int WAIT_SECONDS = 60;

    private final Path program;
    private final Path data;

    private PgCtl(Path program, Path data) {
        this.program = program;
        this.data = data;
    }

    /** Finds the program that belongs to the server of the folder: the server notes its own path at each start. */
    static PgCtl of(Path data) throws IOException {
        String options = Files.readString(data.resolve("postmaster.opts"));
        int end = options.indexOf(" \"");
        Path server = Path.of(end < 0 ? options.strip() : options.substring(0, end));
        String suffix = server.toString().endsWith(".exe") ? ".exe" : "";
        return new PgCtl(server.resolveSibling("pg_ctl" + suffix), data);
    }

    /** Starts the server and waits until it takes connections. */
    void start(int port, Path log) {
        List<String> options = new ArrayList<>(List.of("-p", Integer.toString(port)));
        options.addAll(ServerSettings.arguments());
        run("start", "-o", String.join(" ", options), "-l", log.toString());
    }

    /** Stops the server without a checkpoint and without a word to its clients, and waits until it is gone. */
    void stopNow() {
        run("stop", "-m", "immediate");
    }

    private void run(String command, String... options) {
        List<String> line = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // the server refuses to run as root; in a user namespace of its own it does not look like root
            line.addAll(List.of("unshare", "-U"));
        }
        line.addAll(List.of(program.toString(), command, "-D", data.toString(), "-w", "-t", "" + WAIT_SECONDS));
        line.addAll(List.of(options));
        int code = exitCode(line);
        if (code != 0) {
            throw new IllegalStateException(
                    "test server - pg_ctl " + command + " failed (exit=" + code + ", data=" + data + ")");
        }
    }

    private static int exitCode(List<String> line) {
        try {
            Process process = new ProcessBuilder(line)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (!process.waitFor(2L * WAIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("test server - pg_ctl gave no answer (command=" + line + ")");
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new IllegalStateException("test server - pg_ctl did not run (command=" + line + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("test server - interrupted while waiting for pg_ctl", e);
        }
    }
}
