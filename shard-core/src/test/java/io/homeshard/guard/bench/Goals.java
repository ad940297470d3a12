package io.homeshard.guard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;

/**
 * What the default shall reach, and what it does.
 *
 * @param data the samples
 */
record Goals(RawData data) {
    private static final String DEFAULT = Contender.DEFAULT.name();

    String table() {
        Markdown text = new Markdown();
        List<String> versions = data.versions();
        List<String> head = new ArrayList<>(List.of("order transaction, default", "goal"));
        versions.forEach(version -> head.add("PostgreSQL " + version));
        text.head(head);
        for (Goal goal : goals()) {
            List<String> row = new ArrayList<>(List.of(goal.what(), goal.bound()));
            versions.forEach(version -> row.add(goal.cell(data, version)));
            text.row(row);
        }
        text.end();
        return text.toString();
    }

    private static List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (String tenants : List.of("1", Integer.toString(Shop.TENANTS))) {
            String whose = ", " + Markdown.tenants(tenants);
            goals.add(new Goal(
                    "extra round trips" + whose,
                    "0",
                    1,
                    x -> x == 0,
                    (data, version) -> extra(data, version, tenants, "round_trips")));
            goals.add(new Goal(
                    "extra WAL, bytes" + whose,
                    "0",
                    1,
                    x -> x <= 0.5,
                    (data, version) -> extra(data, version, tenants, "bytes")));
            goals.add(new Goal(
                    "server CPU, ratio to unguarded" + whose,
                    "at most 1.25",
                    2,
                    x -> x <= 1.25,
                    (data, version) -> cpu(data, version, tenants)));
            for (String clients : List.of("1", "8", "16")) {
                goals.add(new Goal(
                        "throughput with delay, " + clients + (clients.equals("1") ? " client" : " clients")
                                + ", ratio to unguarded" + whose,
                        "at least 0.97",
                        3,
                        x -> x >= 0.97,
                        (data, version) -> speed(
                                data.samples(GuardBench.DELAYED, version),
                                new Cell("delay", tenants, clients),
                                Contender.UNGUARDED.name())));
            }
        }
        for (String server : List.of("durable", "not durable")) {
            for (String clients : List.of("8", "16")) {
                goals.add(new Goal(
                        "throughput, ratio to the fence by hand, " + clients + " clients, one hot tenant, " + server,
                        "above 1",
                        2,
                        x -> x > 1,
                        (data, version) -> speed(
                                data.samples(ThroughputPart.FILE, version),
                                new Cell(server, "1", clients),
                                Contender.BY_HAND.name())));
            }
        }
        goals.add(new Goal(
                "frozen under 16 writers, p99 ms",
                "at most 200",
                1,
                x -> x <= 200,
                (data, version) -> quantile(data.samples(MoverPart.FREEZES, version), "frozen_ms", 0.99)));
        goals.add(new Goal(
                "longest commit of a writer beside a freeze, ms",
                "at most 200",
                1,
                x -> x <= 200,
                (data, version) -> quantile(data.samples(MoverPart.FREEZES, version), "longest_commit_ms", 1)));
        goals.add(new Goal(
                "longest stall behind a transaction of 3 s, ms",
                "at most 200",
                1,
                x -> x <= 200,
                (data, version) -> quantile(data.samples(MoverPart.STALLS, version), "writers_max_ms", 1)));
        return goals;
    }

    private record Cell(String server, String tenants, String clients) {}

    /** Computes a figure, unless there is no data. */
    private interface Figure {
        OptionalDouble of(RawData data, String version);
    }

    private record Goal(String what, String bound, int digits, DoublePredicate reached, Figure figure) {
        String cell(RawData data, String version) {
            OptionalDouble value = figure.of(data, version);
            if (value.isEmpty()) {
                return "";
            }
            String text = Markdown.number(value.getAsDouble(), digits);
            return reached.test(value.getAsDouble()) ? text : text + " (missed)";
        }
    }

    private static List<Sample> orders(List<Sample> samples, String tenants) {
        return samples.stream()
                .filter(s -> s.is("operation", Operation.ORDER.label()) && s.is("tenants", tenants))
                .toList();
    }

    private static OptionalDouble extra(RawData data, String version, String tenants, String column) {
        List<Sample> samples =
                CostTables.where(orders(data.samples(WirePart.FILE, version), tenants), "contender", DEFAULT);
        return samples.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(CostTables.difference(samples, column));
    }

    private static OptionalDouble cpu(RawData data, String version, String tenants) {
        List<Sample> samples =
                CostTables.where(orders(data.samples(CpuPart.FILE, version), tenants), "contender", DEFAULT);
        return samples.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(CostTables.ratio(samples));
    }

    private static OptionalDouble speed(List<Sample> samples, Cell cell, String measure) {
        List<Sample> some = orders(samples, cell.tenants()).stream()
                .filter(s -> s.is("server", cell.server()) && s.is("clients", cell.clients()))
                .toList();
        return ThroughputTables.ratio(some, DEFAULT, measure);
    }

    private static OptionalDouble quantile(List<Sample> samples, String column, double share) {
        List<Sample> some = CostTables.where(samples, "contender", DEFAULT);
        return some.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(MoverTables.quantiles(some, column).at(share));
    }
}
