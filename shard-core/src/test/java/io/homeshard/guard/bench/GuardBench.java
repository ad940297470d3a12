package io.homeshard.guard.bench;

import io.homeshard.internal.jdbc.Jdbc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.postgresql.util.DriverInfo;

/**
 * Runs the parts, each on a server of its own.
 *
 * @param size how much is measured
 * @param folder where the raw data goes
 * @param disk where a server keeps data that must survive
 */
record GuardBench(Size size, Path folder, Path disk) {
    /** All parts, in the order in which they run. */
    static final List<String> PARTS = List.of("cpu", "throughput", "delay", "mover");

    static final String MACHINE = "machine";
    static final String DELAYED = "delay";

    private static final Duration DELAY = Duration.ofNanos(500_000);

    /** A file system in memory, where there is one: what disks do is not what is measured. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final int ROUND_TRIPS = 301;

    void run(Set<String> parts) throws SQLException {
        long since = System.nanoTime();
        if (parts.contains("cpu")) {
            on(volatileServer(), since, this::cpu);
        }
        if (parts.contains("throughput")) {
            throughput(since);
        }
        if (parts.contains("delay")) {
            on(volatileServer(), since, GuardBench::delay);
        }
        if (parts.contains("mover")) {
            on(volatileServer(), since, GuardBench::mover);
        }
    }

    /** A part that needs one server. */
    private interface Part {
        void run(Bench bench) throws SQLException;
    }

    private void on(BenchServer started, long since, Part part) throws SQLException {
        try (BenchServer server = started) {
            Processors.divide(server);
            try (Shop shop = Shop.open(server)) {
                String version = server.version();
                part.run(new Bench(shop, size, folder, version.replaceAll("\\D.*", ""), since));
            } finally {
                Processors.share(server);
            }
        }
    }

    private void cpu(Bench bench) throws SQLException {
        machine(bench);
        new CpuPart(bench).run(Contender.all());
        new WirePart(bench).run(Contender.all());
    }

    private void throughput(long since) throws SQLException {
        Csv[] csv = new Csv[1];
        try {
            on(durableServer(), since, bench -> {
                csv[0] = ThroughputPart.csv(bench, ThroughputPart.FILE);
                new ThroughputPart(bench).run("durable", Contender.chosen(), csv[0]);
            });
            on(
                    volatileServer(),
                    since,
                    bench -> new ThroughputPart(bench).run("not durable", Contender.chosen(), csv[0]));
        } finally {
            if (csv[0] != null) {
                csv[0].close();
            }
        }
    }

    private static void delay(Bench bench) throws SQLException {
        try (Csv csv = ThroughputPart.csv(bench, DELAYED)) {
            new ThroughputPart(bench).delayed(DELAY, Contender.chosen(), csv);
        }
    }

    private static void mover(Bench bench) throws SQLException {
        Processors.share(bench.shop().server());
        new MoverPart(bench).run(Contender.frozen());
    }

    private BenchServer durableServer() throws SQLException {
        return BenchServer.start(disk, settings("on"));
    }

    /** A server that does not wait for disks. */
    static BenchServer volatileServer() throws SQLException {
        Path memory = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return BenchServer.start(memory, settings("off"));
    }

    private static Map<String, String> settings(String durable) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("fsync", durable);
        settings.put("synchronous_commit", durable);
        settings.put("full_page_writes", durable);
        settings.put("max_connections", "200");
        settings.put("shared_buffers", "512MB");
        settings.put("autovacuum", "off");
        settings.put("jit", "off");
        settings.put("max_wal_size", "4GB");
        settings.put("min_wal_size", "1GB");
        settings.put("checkpoint_timeout", "1h");
        return settings;
    }

    private static void machine(Bench bench) throws SQLException {
        try (Csv csv = bench.csv(MACHINE, "what", "value")) {
            csv.row("server", "PostgreSQL " + bench.shop().server().version());
            csv.row("processor", processor());
            csv.row("processors", Processors.count());
            csv.row(
                    "system",
                    System.getProperty("os.name") + " "
                            + System.getProperty("os.version").replaceAll("[^0-9.].*", ""));
            csv.row("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
            csv.row("driver", "pgjdbc " + DriverInfo.DRIVER_VERSION);
            String database = bench.shop().database(Contender.UNGUARDED);
            csv.row("round trip, ms", roundTrip(bench, database, Wire.counting()));
            csv.row("round trip with delay, ms", roundTrip(bench, database, Wire.slow(DELAY)));
        }
    }

    private static String processor() {
        if (!Processors.readable()) {
            return System.getProperty("os.arch");
        }
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.replaceAll(".*:\\s*", ""))
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double roundTrip(Bench bench, String database, Wire wire) throws SQLException {
        double[] millis = new double[ROUND_TRIPS];
        try (Connection connection = bench.shop().application(database, wire.parameters())) {
            for (int i = 0; i < ROUND_TRIPS; i++) {
                long before = System.nanoTime();
                Jdbc.one(connection, "SELECT 1", row -> row.getInt(1));
                millis[i] = (System.nanoTime() - before) / 1e6;
            }
        }
        return Quantiles.of(Arrays.stream(millis)).median();
    }
}
