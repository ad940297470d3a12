package io.homeshard.guard.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Operations per second of clients that work at the same time, each as fast as it can. Samples of the contenders follow
 * each other in random order, and each is compared with the unguarded one of the same repetition.
 */
final class ThroughputPart {
    static final String FILE = "throughput";

    private static final int MOST_CLIENTS = 16;
    private static final List<Integer> CLIENTS = List.of(1, 8, MOST_CLIENTS);
    private static final List<Operation> OPERATIONS = List.of(
            Operation.INSERT,
            Operation.UPDATE,
            Operation.DELETE,
            Operation.ORDER,
            Operation.INSERT_100,
            Operation.COPY);

    /** Rows to be deleted per second: more than any machine deletes one by one. */
    private static final int DELETED_PER_SECOND = 30_000;

    private final Bench bench;
    private final Random random = new Random(1);

    ThroughputPart(Bench bench) {
        this.bench = bench;
    }

    static Csv csv(Bench bench, String file) {
        return bench.csv(
                file, "server", "contender", "operation", "tenants", "clients", "repeat", "per_second", "server_cpus");
    }

    /** All operations. */
    void run(String server, List<Contender> contenders, Csv csv) throws SQLException {
        run(server, contenders, chosen(), "", csv);
    }

    /** Those named by the system property {@code homeshard.bench.operations}, or all. */
    private static List<Operation> chosen() {
        String names = System.getProperty("homeshard.bench.operations", "");
        return OPERATIONS.stream()
                .filter(operation ->
                        names.isEmpty() || List.of(names.split(",")).contains(operation.label()))
                .toList();
    }

    /** The order, on a network with so much longer round trips. */
    void delayed(Duration more, List<Contender> contenders, Csv csv) throws SQLException {
        run("delay", contenders, List.of(Operation.ORDER), Wire.slow(more).parameters(), csv);
    }

    private void run(String server, List<Contender> contenders, List<Operation> operations, String parameters, Csv csv)
            throws SQLException {
        List<Crowd> crowds = new ArrayList<>();
        try {
            for (Contender contender : contenders) {
                crowds.add(Crowd.open(bench.shop(), contender, MOST_CLIENTS, parameters));
            }
            for (int tenants : List.of(1, Shop.TENANTS)) {
                for (Crowd crowd : crowds) {
                    crowd.among(tenants);
                }
                for (Operation operation : operations) {
                    bench.progress("throughput, " + server + ", tenants=" + tenants + ", " + operation.label());
                    for (int clients : operation == Operation.COPY ? List.of(1) : CLIENTS) {
                        repeats(new Cell(server, operation, tenants, clients), crowds, csv);
                    }
                }
            }
        } finally {
            for (Crowd crowd : crowds) {
                crowd.close();
            }
        }
    }

    private record Cell(String server, Operation operation, int tenants, int clients) {}

    private void repeats(Cell cell, List<Crowd> crowds, Csv csv) throws SQLException {
        List<Crowd> order = new ArrayList<>(crowds);
        // the goals are about the order
        int repeats = bench.size().repeats() * (cell.operation() == Operation.ORDER ? 2 : 1);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            Collections.shuffle(order, random);
            for (Crowd crowd : order) {
                if (cell.operation().possible(crowd.contender().entry(), cell.tenants())) {
                    sample(cell, crowd, repeat, csv);
                }
            }
        }
    }

    private void sample(Cell cell, Crowd crowd, int repeat, Csv csv) throws SQLException {
        Duration length = Duration.ofMillis(bench.size().sampleMillis());
        boolean deletes = cell.operation() == Operation.DELETE;
        if (deletes) {
            int rows = (int) (DELETED_PER_SECOND * 1.2 * length.toMillis() / 1000 / cell.clients());
            crowd.all(cell.clients(), client -> {
                client.keys().among(cell.tenants());
                client.seed(rows + 1);
                return rows;
            });
        }
        rate(cell, crowd, length.dividedBy(5));
        long before = crowd.cpuNanos();
        double rate = rate(cell, crowd, length);
        double busy = (crowd.cpuNanos() - before) / (double) length.toNanos();
        csv.row(
                cell.server(),
                crowd.contender().name(),
                cell.operation().label(),
                cell.tenants(),
                cell.clients(),
                repeat,
                rate,
                busy);
        if (cell.operation() == Operation.COPY) {
            crowd.contender().entry().clear(crowd.owner());
        }
    }

    private static double rate(Cell cell, Crowd crowd, Duration length) throws SQLException {
        Operation operation = cell.operation();
        return crowd
                .all(cell.clients(), client -> {
                    long start = System.nanoTime();
                    long now = start;
                    int done = 0;
                    while (now - start < length.toNanos()
                            && (operation != Operation.DELETE || client.keys().hasWritten())) {
                        client.run(operation);
                        done++;
                        now = System.nanoTime();
                    }
                    return done * 1e9 / Math.max(1, now - start);
                })
                .stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
