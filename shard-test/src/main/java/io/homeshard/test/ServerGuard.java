package io.homeshard.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * A process that outlives this JVM just long enough to end its servers and to remove their data.
 *
 * <p>A shutdown hook does not run when the JVM is killed. The guard blocks on a pipe from the JVM instead, and the
 * operating system closes the pipe however the JVM ends. It finds the servers by the folder in their command line,
 * not by a process id noted earlier: a server that was stopped and started has a new one, and one that is just being
 * initialised has none yet. Elsewhere than on Linux there is a shutdown hook only.
 */
final class ServerGuard {
    /** $1 is the run folder. The pattern goes through standard input, so that grep does not find itself. */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            cat >/dev/null
            round=0
            while [ $round -lt 50 ]; do
              round=$((round + 1))
              found=
              for file in $(printf '%s/' "$1" | grep -lsF -f - /proc/[0-9]*/cmdline); do
                pid=${file#/proc/}
                pid=${pid%/cmdline}
                name=
                read -r name 2>/dev/null </proc/$pid/comm
                case $name in
                  postgres) signal=QUIT ;;
                  initdb|pg_ctl|unshare) signal=KILL ;;
                  *) continue ;;
                esac
                found=yes
                kill -$signal "$pid" 2>/dev/null
              done
              [ -n "$found" ] || break
              sleep 0.1
            done
            rm -rf "$1"
            """;

    /** Held for the life of the JVM: a collected process closes its pipe, and the guard would strike too early. */
    private static final Queue<Process> GUARDS = new ConcurrentLinkedQueue<>();

    private ServerGuard() {}

    /** Guards the folder until this JVM ends. */
    static void watch(Path folder) {
        if (isLinux()) {
            GUARDS.add(run(folder, Redirect.PIPE));
        } else {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAll(folder), "homeshard-test-shutdown"));
        }
    }

    /** Ends the servers that a dead JVM left in the folder, and removes it; on Linux without waiting for the end. */
    static void remove(Path folder) {
        if (isLinux()) {
            run(folder, Redirect.from(new File("/dev/null")));
        } else {
            stopAll(folder);
        }
    }

    private static Process run(Path folder, Redirect input) {
        try {
            // a session of its own: a signal for the process group of the JVM must not reach it
            return new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "homeshard-test-guard", folder.toString())
                    .directory(new File("/"))
                    .redirectInput(input)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("test servers - no guard for them (folder=" + folder + ")", e);
        }
    }

    private static void stopAll(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> running = entries.filter(data -> Files.exists(data.resolve("postmaster.pid")))
                    .toList();
            for (Path data : running) {
                PgCtl.of(data).stopNow();
            }
            RunFolder.delete(folder);
        } catch (IOException | IllegalStateException leftForTheNextSweep) {
            return;
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }
}
