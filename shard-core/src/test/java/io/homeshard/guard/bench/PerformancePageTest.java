package io.homeshard.guard.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerformancePageTest {
    private static final Path DOCS = Path.of("..", "docs");

    @TempDir
    private Path folder;

    @Test
    void thePageSaysWhatTheDataSays() throws IOException {
        String page = Files.readString(DOCS.resolve("performance.md"));
        assertThat(page)
                .as("write the tables anew: homeshard.bench.parts=tables")
                .isEqualTo(PerformancePage.filled(page, new RawData(DOCS.resolve("performance"))));
    }

    @Test
    void aRatioIsTheMiddleOfThoseOfNeighbours() {
        try (Csv csv = cpu("17")) {
            csv.row("default", "order", 1, 1, 200.0, 100.0);
            csv.row("default", "order", 1, 2, 390.0, 300.0);
            csv.row("default", "order", 1, 3, 150.0, 100.0);
        }
        RawData data = new RawData(folder);
        assertThat(new CostTables(data).cpu())
                .contains("| unguarded | 100.0 |")
                .contains("| default | 1.50 (1.50) 200.0 |");
        assertThat(new Goals(data).table()).contains("at most 1.25 | 1.50 (missed) |");
    }

    @Test
    void versionsStandBesideEachOtherNewestFirst() {
        cpu("9").close();
        try (Csv csv = cpu("10")) {
            csv.row("default", "order", 1, 1, 120.0, 100.0);
        }
        assertThat(new Goals(new RawData(folder)).table())
                .contains("| PostgreSQL 10 | PostgreSQL 9 |")
                .contains("at most 1.25 | 1.20 |  |");
    }

    @Test
    void throughputIsComparedWithinARepetition() {
        try (Csv csv = Csv.create(
                folder.resolve("delay-18.csv"),
                "server",
                "contender",
                "operation",
                "tenants",
                "clients",
                "repeat",
                "per_second",
                "server_cpus")) {
            csv.row("delay", "unguarded", "order", 1, 8, 1, 100.0, 1.0);
            csv.row("delay", "default", "order", 1, 8, 1, 90.0, 1.0);
            csv.row("delay", "default", "order", 1, 8, 2, 196.0, 1.0);
            csv.row("delay", "unguarded", "order", 1, 8, 2, 200.0, 1.0);
            csv.row("delay", "unguarded", "order", 1, 8, 3, 1000.0, 1.0);
            csv.row("delay", "default", "order", 1, 8, 3, 990.0, 1.0);
        }
        assertThat(new ThroughputTables(new RawData(folder)).delay()).contains("| order, 8 | 200 | 0.98 |");
    }

    @Test
    void aPageWithoutAPlaceForATableIsRefused() {
        assertThatThrownBy(() -> PerformancePage.filled("<!-- table machine -->\n", new RawData(folder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("end machine");
    }

    private Csv cpu(String version) {
        return Csv.create(
                folder.resolve("cpu-" + version + ".csv"),
                "contender",
                "operation",
                "tenants",
                "round",
                "us",
                "unguarded_us");
    }
}
