package io.homeshard.guard.bench;

import java.sql.SQLException;
import java.util.List;

/** Bytes of WAL and round trips of an operation. Of a contender and then of its unguarded twin, with the same keys. */
final class WirePart {
    static final String FILE = "wal";

    private static final int WARMING = 5;

    private final Bench bench;

    WirePart(Bench bench) {
        this.bench = bench;
    }

    void run(List<Contender> contenders) throws SQLException {
        try (Csv csv = bench.csv(
                FILE,
                "contender",
                "operation",
                "tenants",
                "round",
                "bytes",
                "unguarded_bytes",
                "round_trips",
                "unguarded_round_trips")) {
            for (Contender contender : contenders) {
                bench.progress("wal and round trips, " + contender.name());
                Wire wire = Wire.counting();
                try (Twins twins = Twins.create(bench.shop(), contender, wire.parameters())) {
                    for (int tenants : List.of(1, Shop.TENANTS)) {
                        twins.among(tenants);
                        rounds(twins, wire, csv);
                    }
                }
            }
        }
    }

    private void rounds(Twins twins, Wire wire, Csv csv) throws SQLException {
        int tenants = twins.guarded().keys().tenants();
        for (int round = 1; round <= bench.size().wireRounds(); round++) {
            for (Operation operation : Operation.values()) {
                if (operation.possible(twins.contender().entry(), tenants)) {
                    double[] guarded = sample(twins, twins.guarded(), operation, wire);
                    double[] bare = sample(twins, twins.bare(), operation, wire);
                    twins.clean(operation);
                    String contender = twins.contender().name();
                    csv.row(contender, operation.label(), tenants, round, guarded[0], bare[0], guarded[1], bare[1]);
                }
            }
        }
    }

    /** Bytes and round trips. */
    private double[] sample(Twins twins, Client client, Operation operation, Wire wire) throws SQLException {
        client.prepare(operation);
        if (operation != Operation.DELETE && operation != Operation.COPY) {
            repeat(client, operation, WARMING);
        }
        int times = bench.size().of(operation);
        double end = twins.log();
        long trips = wire.roundTrips();
        repeat(client, operation, times);
        return new double[] {(twins.log() - end) / times, (wire.roundTrips() - trips) / (double) times};
    }

    private static void repeat(Client client, Operation operation, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            client.run(operation);
        }
    }
}
