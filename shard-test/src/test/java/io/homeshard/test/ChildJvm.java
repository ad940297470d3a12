package io.homeshard.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A JVM that runs {@link ServerChild}.
 *
 * @param process its process
 * @param folder where its servers keep their data
 */
record ChildJvm(Process process, Path folder) implements AutoCloseable {

    static ChildJvm start(Path root) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dhomeshard.test.dir=" + root,
                        "-Djava.io.tmpdir=" + root,
                        ServerChild.class.getName())
                .redirectErrorStream(true)
                .start();
        return new ChildJvm(process, root.resolve("run-" + process.pid()));
    }

    /** The next line of its output, or an empty text at the end. */
    String line() throws IOException {
        String line = process.inputReader().readLine();
        return line == null ? "" : line;
    }

    void letEnd() throws IOException {
        try (OutputStream input = process.getOutputStream()) {
            input.write('\n');
        }
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** The servers, and the programs that make or start them; zombies have no command line any more. */
    List<ProcessHandle> servers() {
        return ProcessHandle.allProcesses()
                .filter(other -> other.info().commandLine().orElse("").contains(folder + "/"))
                .toList();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
