package io.homeshard.guard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Operations per second, a column for each contender.
 *
 * @param data the samples
 */
record ThroughputTables(RawData data) {
    /** Servers that keep what they have committed and others. */
    String throughput() {
        return tables(ThroughputPart.FILE);
    }

    /** On a slow network. */
    String delay() {
        return tables(GuardBench.DELAYED);
    }

    private String tables(String file) {
        Markdown text = new Markdown();
        for (String version : data.versions()) {
            List<Sample> all = data.samples(file, version);
            for (String server : RawData.values(all, "server")) {
                List<Sample> ofServer = CostTables.where(all, "server", server);
                for (String tenants : RawData.values(ofServer, "tenants")) {
                    text.line(Markdown.title(version, server + ", " + Markdown.tenants(tenants)));
                    table(text, CostTables.where(ofServer, "tenants", tenants));
                }
            }
        }
        return text.toString();
    }

    private static void table(Markdown text, List<Sample> samples) {
        List<String> others = RawData.values(samples, "contender").stream()
                .filter(name -> !name.equals(Contender.UNGUARDED.name()))
                .sorted()
                .toList();
        text.head(Stream.concat(Stream.of("operation, clients", "unguarded, per second"), others.stream())
                .toList());
        for (String operation : RawData.values(samples, "operation")) {
            List<Sample> some = CostTables.where(samples, "operation", operation);
            for (String clients : RawData.values(some, "clients")) {
                text.row(row(operation + ", " + clients, CostTables.where(some, "clients", clients), others));
            }
        }
        text.end();
    }

    private static List<String> row(String name, List<Sample> samples, List<String> others) {
        List<Sample> bare = CostTables.where(samples, "contender", Contender.UNGUARDED.name());
        List<String> row = new ArrayList<>(List.of(name));
        row.add(Markdown.number(
                Quantiles.of(bare.stream().mapToDouble(s -> s.number("per_second")))
                        .median(),
                0));
        for (String other : others) {
            OptionalDouble ratio = ratio(samples, other, Contender.UNGUARDED.name());
            row.add(ratio.isEmpty() ? "" : Markdown.number(ratio.getAsDouble(), 2));
        }
        return row;
    }

    /** The middle of the ratios of the same repetitions of one cell. */
    static OptionalDouble ratio(List<Sample> cell, String contender, String measure) {
        double[] ratios = CostTables.where(cell, "contender", contender).stream()
                .flatMapToDouble(sample -> perSecond(cell, measure, sample.text("repeat"))
                        .map(base -> DoubleStream.of(sample.number("per_second") / base))
                        .orElseGet(DoubleStream::empty))
                .toArray();
        return ratios.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Quantiles.of(DoubleStream.of(ratios)).median());
    }

    private static Optional<Double> perSecond(List<Sample> cell, String contender, String repeat) {
        return cell.stream()
                .filter(sample -> sample.is("contender", contender) && sample.is("repeat", repeat))
                .map(sample -> sample.number("per_second"))
                .findFirst();
    }
}
