package io.homeshard.migrate.move;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures copies and moves; {@code docs/performance.md} tells how to run it and what came out. */
@Tag("bench")
class CopyBenchTest {
    private static final String MAJOR = System.getProperty("homeshard.bench.major", "18");

    @Test
    void measures() throws Exception {
        String size = System.getProperty("homeshard.bench.size", "full");
        CopyBench bench = switch (size) {
            case "full" -> CopyBench.full();
            case "brief" -> CopyBench.brief();
            case "tiny" -> CopyBench.tiny();
            default ->
                throw new IllegalArgumentException("homeshard.bench.size must be full, brief or tiny, was " + size);
        };
        Path docs = Path.of("..", "docs");
        Path folder = size.equals("full") ? docs.resolve("performance") : Path.of("target", "performance");
        String parts = System.getProperty("homeshard.bench.parts", "copies,moves");
        if (parts.contains("copies")) {
            List<String> copies = bench.copies();
            CopyBench.write(folder.resolve("copy-speed-" + MAJOR + ".csv"), copies);
            System.out.println(CopyTables.speed(copies));
        }
        if (parts.contains("moves")) {
            List<String> moves = bench.moves();
            CopyBench.write(folder.resolve("move-times-" + MAJOR + ".csv"), moves);
            System.out.println(CopyTables.moves(moves));
        }
        if (size.equals("full") || parts.equals("tables")) {
            CopyPageTest.write(docs);
        }
    }
}
