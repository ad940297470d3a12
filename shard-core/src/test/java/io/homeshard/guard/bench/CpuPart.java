package io.homeshard.guard.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * CPU time that a session's backend takes for an operation. Samples of a contender and of its unguarded twin follow each
 * other at once, in random order, each after a few operations that bring the backend back into the caches.
 */
final class CpuPart {
    static final String FILE = "cpu";

    /** Rounds before those that count: plans become generic, code becomes native. */
    private static final int UNCOUNTED = 2;

    private static final int WARMING = 15;

    /** COPY takes a hundred times longer than the others, and varies less. */
    private static final int FEWER_COPIES = 3;

    private final Bench bench;
    private final Random random = new Random(1);

    CpuPart(Bench bench) {
        this.bench = bench;
    }

    void run(List<Contender> contenders) throws SQLException {
        List<Twins> all = new ArrayList<>();
        try (Csv csv = bench.csv(FILE, "contender", "operation", "tenants", "round", "us", "unguarded_us")) {
            for (Contender contender : contenders) {
                all.add(Twins.create(bench.shop(), contender, ""));
            }
            for (int tenants : List.of(1, Shop.TENANTS)) {
                for (Twins twins : all) {
                    twins.among(tenants);
                }
                for (int round = 1 - UNCOUNTED; round <= bench.size().rounds(); round++) {
                    bench.progress("cpu, tenants=" + tenants + ", round " + round);
                    round(all, round, csv);
                }
            }
        } finally {
            for (Twins twins : all) {
                twins.close();
            }
        }
    }

    private void round(List<Twins> all, int round, Csv csv) throws SQLException {
        for (Operation operation : Operation.values()) {
            for (Twins twins : all) {
                int tenants = twins.guarded().keys().tenants();
                boolean left = operation == Operation.COPY && round > 1 && round % FEWER_COPIES != 0;
                if (left || !operation.possible(twins.contender().entry(), tenants)) {
                    continue;
                }
                double[] micros = pair(twins, operation);
                if (round > 0) {
                    csv.row(twins.contender().name(), operation.label(), tenants, round, micros[0], micros[1]);
                }
            }
        }
    }

    /** Of the guarded and of the bare one. */
    private double[] pair(Twins twins, Operation operation) throws SQLException {
        double[] micros = new double[2];
        int first = random.nextInt(2);
        for (int index : List.of(first, 1 - first)) {
            micros[index] = sample(twins.both().get(index), operation);
        }
        twins.clean(operation);
        return micros;
    }

    private double sample(Client client, Operation operation) throws SQLException {
        client.prepare(operation);
        // others would use up what they need, or take too long
        Operation warming = operation.batch() >= 80 && operation != Operation.DELETE ? operation : Operation.UPDATE;
        repeat(client, warming, WARMING);
        int times = bench.size().of(operation);
        long before = Processors.cpuNanos(client.backend());
        repeat(client, operation, times);
        return (Processors.cpuNanos(client.backend()) - before) / 1000.0 / times;
    }

    private static void repeat(Client client, Operation operation, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            client.run(operation);
        }
    }
}
