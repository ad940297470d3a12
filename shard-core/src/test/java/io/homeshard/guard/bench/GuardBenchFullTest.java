package io.homeshard.guard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures and writes the tables of {@code docs/performance.md}, which tells how to run it. */
@Tag("bench")
class GuardBenchFullTest {
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void measures() throws SQLException, IOException {
        Size size = Size.chosen();
        boolean full = size.equals(Size.full());
        Path folder = full ? DOCS.resolve("performance") : Path.of("target", "performance");
        new GuardBench(size, folder, Path.of("target", "bench").toAbsolutePath()).run(parts());
        Path page = DOCS.resolve("performance.md");
        if (full) {
            PerformancePage.write(page, new RawData(folder));
        } else {
            System.out.println(PerformancePage.filled(Files.readString(page), new RawData(folder)));
        }
    }

    private static Set<String> parts() {
        String parts = System.getProperty("homeshard.bench.parts", String.join(",", GuardBench.PARTS));
        Set<String> chosen = new LinkedHashSet<>(List.of(parts.split(",")));
        chosen.remove("tables");
        if (!GuardBench.PARTS.containsAll(chosen)) {
            throw new IllegalArgumentException(
                    "homeshard.bench.parts must be of " + GuardBench.PARTS + " and tables, was " + parts);
        }
        return chosen;
    }
}
