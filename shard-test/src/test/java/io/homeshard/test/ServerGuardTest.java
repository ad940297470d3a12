package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ServerGuardTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    void killedJvmLeavesNoServerAndNoData() throws IOException {
        try (ChildJvm child = ChildJvm.start(root)) {
            assertThat(child.line()).isEqualTo(ServerChild.READY);
            assertThat(child.servers()).as("two of three servers run").hasSize(2);

            child.kill();

            Eventually.holds("no server runs", SOON, () -> child.servers().isEmpty());
            Eventually.holds("no data is left", SOON, () -> Files.notExists(child.folder()));
        }
    }

    @Test
    void jvmKilledWhileItStartsServersLeavesNothing() throws IOException {
        try (ChildJvm child = ChildJvm.start(root)) {
            Eventually.holds(
                    "a server is being made", SOON, () -> !child.servers().isEmpty());

            child.kill();

            Eventually.holds("no data is left", SOON, () -> Files.notExists(child.folder()));
            assertThat(child.servers()).isEmpty();
        }
    }

    @Test
    void orderlyEndLeavesNothingAndPrintsNothing() throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.start(root)) {
            assertThat(child.line()).isEqualTo(ServerChild.READY);

            child.letEnd();

            assertThat(child.line()).as("end of the output").isEmpty();
            assertThat(child.process().waitFor()).isZero();
            Eventually.holds("no data is left", SOON, () -> Files.notExists(child.folder()));
        }
    }

    @Test
    void folderOfADeadProcessIsSweptAtTheNextStart() throws IOException, InterruptedException {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path left = root.resolve("run-" + dead.pid());
        Files.createDirectories(left.resolve("server-1"));
        Path other = Files.createDirectories(root.resolve("run-of-someone-else"));

        RunFolder own = RunFolder.open(root);

        Eventually.holds("left folder is gone", SOON, () -> Files.notExists(left));
        assertThat(other).exists();
        assertThat(own.path()).exists();
    }
}
