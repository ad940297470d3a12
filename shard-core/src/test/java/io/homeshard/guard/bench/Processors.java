package io.homeshard.guard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's processors, as Linux shows them. Client and server each get one of their own: on a machine with few
 * processors the scheduler would otherwise put both on one or on two, and figures come out in two clusters.
 */
final class Processors {
    /** Processor of this JVM while processors are divided. */
    private static final String CLIENT = "0";

    /** Processors of the server while they are divided: one, so that what it can do is what it is measured by. */
    private static final String SERVER = "1";

    private static final Path SCHEDSTAT = Path.of("/proc/self/schedstat");

    private Processors() {}

    /** Whether a process's own CPU time can be read here. */
    static boolean readable() {
        return Files.isReadable(SCHEDSTAT);
    }

    /** Gives the JVM one processor and a server another; does nothing where that is not possible. */
    static void divide(BenchServer server) {
        if (divisible()) {
            pin(ProcessHandle.current().pid(), CLIENT);
            server.processes().forEach(pid -> pin(pid, SERVER));
        }
    }

    /** Lets the JVM and a server run anywhere. */
    static void share(BenchServer server) {
        if (divisible()) {
            String all = "0-" + (count() - 1);
            pin(ProcessHandle.current().pid(), all);
            server.processes().forEach(pid -> pin(pid, all));
        }
    }

    private static boolean divisible() {
        return readable() && count() > 1 && Files.isExecutable(Path.of("/usr/bin/taskset"));
    }

    /** Not what the JVM may use now, but what the machine has. */
    static int count() {
        if (!readable()) {
            return Runtime.getRuntime().availableProcessors();
        }
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            return (int) lines.filter(line -> line.matches("cpu\\d.*")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the processors of a process with all its threads; what it starts from now on inherits them. */
    private static void pin(long pid, String list) {
        try {
            Process taskset = new ProcessBuilder("taskset", "-acp", list, Long.toString(pid))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            taskset.waitFor(); // a process may have ended meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** CPU time of a process with one thread, in nanoseconds; 0 where it cannot be read. */
    static long cpuNanos(long pid) {
        try {
            String text = readable() ? Files.readString(Path.of("/proc/" + pid + "/schedstat")) : "0 ";
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
