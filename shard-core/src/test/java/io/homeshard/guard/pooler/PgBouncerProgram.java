package io.homeshard.guard.pooler;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program {@code pgbouncer} of this machine.
 *
 * @param path the program
 * @param major first number of its version
 * @param minor second number of its version
 */
record PgBouncerProgram(Path path, int major, int minor) {
    /** The system property that names the program. */
    static final String PROPERTY = "homeshard.test.pgbouncer";

    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");

    /** The program; without one the test is skipped. */
    static PgBouncerProgram require() throws IOException {
        String named = System.getProperty(PROPERTY, "");
        if (!named.isEmpty()) {
            return of(Path.of(named));
        }
        Optional<Path> found = find("pgbouncer");
        assumeTrue(
                found.isPresent(),
                "no pgbouncer in PATH or /usr/sbin: install the package pgbouncer, or name the program with -D"
                        + PROPERTY);
        return of(found.orElseThrow());
    }

    private static PgBouncerProgram of(Path path) throws IOException {
        Process process = new ProcessBuilder(path.toString(), "--version")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher version = VERSION.matcher(output);
        if (!version.find()) {
            throw new IllegalStateException("not a pgbouncer: " + path + " said " + output);
        }
        return new PgBouncerProgram(path, Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)));
    }

    private static Optional<Path> find(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Whether it keeps the prepared statements of its clients apart. */
    boolean preparesStatements() {
        return major > 1 || minor >= 21;
    }

    /**
     * Starts it in the foreground. It refuses to run as root, so it gets a user namespace in which it is not; and where
     * the system allows it, it ends with the thread that calls this, so that a killed JVM leaves nothing.
     */
    Process start(Path ini, Path log) throws IOException {
        List<String> line = new ArrayList<>();
        if (System.getProperty("user.name", "").equals("root")) {
            line.addAll(List.of("unshare", "-U"));
        }
        line.addAll(find("setpriv")
                .map(setpriv -> List.of(setpriv.toString(), "--pdeathsig", "KILL"))
                .orElse(List.of()));
        line.addAll(List.of(path.toString(), ini.toString()));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The settings that depend on the version, as lines. */
    Collection<String> settings() {
        return preparesStatements() ? List.of("max_prepared_statements = 100") : List.of();
    }
}
