package io.homeshard.guard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server of our own, from the binaries of a running one.
 *
 * @param bin folder of the programs
 * @param data folder of the data
 * @param port where it listens
 */
record ServerProcess(Path bin, Path data, int port) {
    private static final String PREFIX = "homeshard-bench-";
    private static final Pattern LEFT = Pattern.compile(PREFIX + "(\\d{1,9})-\\d+");
    private static final AtomicInteger COUNT = new AtomicInteger();

    /**
     * Starts one.
     *
     * @param model data folder of a running server of shard-test
     * @param root where the new data folder goes
     * @param settings of the new server
     */
    static ServerProcess start(Path model, Path root, Map<String, String> settings) {
        try {
            removeLeft(root);
            String options = Files.readString(model.resolve("postmaster.opts"));
            Path bin = Objects.requireNonNull(
                    Path.of(options.substring(0, options.indexOf(" \""))).getParent());
            String name = PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
            ServerProcess server = new ServerProcess(bin, root.resolve(name), freePort());
            server.run("initdb", "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync");
            server.configure(settings);
            // its path is in the command line: shard-test's guard ends the server when this JVM is killed
            Path mark = model.resolveSibling(name + ".pid");
            Path log = server.data().resolve("server.log");
            server.run("pg_ctl", "start", "-w", "-l", log.toString(), "-o", "-c external_pid_file=" + mark);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("bench server - not started (root=" + root + ")", e);
        }
    }

    private void configure(Map<String, String> settings) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("port = " + port);
        lines.add("listen_addresses = '127.0.0.1'");
        lines.add("unix_socket_directories = ''");
        settings.forEach((name, value) -> lines.add(name + " = '" + value + "'"));
        Files.write(data.resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
    }

    /** The first of its processes. */
    ProcessHandle handle() {
        try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
            return ProcessHandle.of(
                            Long.parseLong(lines.findFirst().orElseThrow().strip()))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it and removes its data. */
    void stop() {
        try {
            run("pg_ctl", "stop", "-w", "-m", "immediate");
            delete(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(String program, String... options) throws IOException {
        List<String> line = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            line.addAll(List.of("unshare", "-U")); // the server refuses to run as root
        }
        line.addAll(List.of(bin.resolve(program).toString(), "-D", data.toString()));
        line.addAll(List.of(options));
        try {
            Process process = new ProcessBuilder(line)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException(program + " failed (command=" + line + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + program, e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Data of servers whose JVM was killed. */
    private static void removeLeft(Path root) throws IOException {
        Files.createDirectories(root);
        List<Path> folders;
        try (Stream<Path> entries = Files.list(root)) {
            folders = entries.toList();
        }
        for (Path folder : folders) {
            var name = LEFT.matcher(folder.getFileName().toString());
            if (name.matches()
                    && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                delete(folder);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> entries;
        try (Stream<Path> tree = Files.walk(folder)) {
            entries = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.deleteIfExists(entry);
        }
    }
}
