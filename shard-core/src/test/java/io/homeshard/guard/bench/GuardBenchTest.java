package io.homeshard.guard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark at its smallest: that all of it runs, and what it says of the default that no busy machine can blur. */
class GuardBenchTest {
    private static final Size SMALLEST = new Size(1, 10, 3, 1, 40, 5, 1, 300);

    /** Less than a row lock writes; records are aligned, pages are split now and then, and the server notes its own. */
    private static final double WAL_NOISE = 30;

    /** What a machine may be slow in. */
    private static final double GENEROUS_MS = 10_000;

    @TempDir
    private Path folder;

    @Test
    void theDefaultAddsNothingToWireAndLogAndMoverAndWritersGetPastEachOther() throws SQLException {
        try (BenchServer server = GuardBench.volatileServer();
                Shop shop = Shop.open(server)) {
            Bench bench = new Bench(shop, SMALLEST, folder, "99", System.nanoTime());
            List<Contender> contenders = List.of(Contender.DEFAULT, Contender.BY_HAND);
            new CpuPart(bench).run(contenders);
            new WirePart(bench).run(contenders);
            try (Csv csv = ThroughputPart.csv(bench, GuardBench.DELAYED)) {
                new ThroughputPart(bench)
                        .delayed(Duration.ofNanos(500_000), List.of(Contender.UNGUARDED, Contender.DEFAULT), csv);
            }
            new MoverPart(bench).run(List.of(Contender.DEFAULT));
        }
        RawData data = new RawData(folder);
        checkCost(data);
        checkMover(data);
        assertThat(new ThroughputTables(data).delay()).contains("| order, 16 | ");
        assertThat(new Goals(data).table())
                .containsPattern("extra round trips, one hot tenant \\| 0 \\| 0\\.0 \\|")
                .doesNotContainPattern("delay, 16 clients, [^|]*\\|[^|]*\\| *\\|");
    }

    private static void checkCost(RawData data) {
        List<Sample> cpu = data.samples(CpuPart.FILE, "99");
        assertThat(RawData.values(cpu, "operation")).hasSize(Operation.values().length);
        if (Processors.readable()) {
            assertThat(cpu).allMatch(sample -> sample.number("us") > 1 && sample.number("unguarded_us") > 1);
        }
        List<Sample> orders = CostTables.where(data.samples(WirePart.FILE, "99"), "operation", Operation.ORDER.label());
        for (String tenants : List.of("1", "1000")) {
            List<Sample> some = CostTables.where(orders, "tenants", tenants);
            List<Sample> guarded = CostTables.where(some, "contender", Contender.DEFAULT.name());
            assertThat(CostTables.difference(guarded, "round_trips")).isZero();
            assertThat(CostTables.difference(guarded, "bytes")).isBetween(-WAL_NOISE, WAL_NOISE);
            // and the benchmark sees both where they are
            List<Sample> byHand = CostTables.where(some, "contender", Contender.BY_HAND.name());
            assertThat(CostTables.difference(byHand, "round_trips")).isEqualTo(1);
            assertThat(CostTables.difference(byHand, "bytes")).isGreaterThan(WAL_NOISE);
        }
    }

    private static void checkMover(RawData data) {
        List<Sample> freezes = data.samples(MoverPart.FREEZES, "99");
        assertThat(freezes).hasSize(SMALLEST.freezes()).allSatisfy(freeze -> {
            assertThat(freeze.number("frozen_ms")).isLessThan(GENEROUS_MS);
            assertThat(freeze.number("longest_commit_ms"))
                    .isPositive()
                    .isLessThan(FreezePolicy.TRY.toMillis() + GENEROUS_MS);
        });
        List<Sample> stalls = data.samples(MoverPart.STALLS, "99");
        assertThat(stalls).hasSize(SMALLEST.holds()).allSatisfy(stall -> {
            // it cannot get in before the transaction has ended, and asks again after that
            assertThat(stall.number("tries")).isGreaterThan(1);
            assertThat(stall.number("commits")).isPositive();
            assertThat(stall.number("queued_ms")).isLessThan(stall.number("frozen_ms"));
            assertThat(stall.number("writers_max_ms")).isLessThan(FreezePolicy.TRY.toMillis() + GENEROUS_MS);
        });
    }
}
