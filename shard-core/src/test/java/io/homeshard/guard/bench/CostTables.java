package io.homeshard.guard.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Cost of an operation, a row for each contender.
 *
 * @param data the samples
 */
record CostTables(RawData data) {
    private static final String NOTHING = "";

    /** CPU time: median of the ratios of pairs, in parentheses the ratio of the lower quartiles, and the median. */
    String cpu() {
        return tables(CpuPart.FILE, "us", samples -> Markdown.number(median(samples, "unguarded_us"), 1), samples -> {
            double quartiles = quartile(samples, "us") / quartile(samples, "unguarded_us");
            return Markdown.number(ratio(samples), 2) + " (" + Markdown.number(quartiles, 2) + ") "
                    + Markdown.number(median(samples, "us"), 1);
        });
    }

    /** Bytes of the log: median, and how many more than those of the twin. */
    String wal() {
        return tables(
                WirePart.FILE,
                "bytes",
                samples -> Markdown.number(median(samples, "unguarded_bytes"), 0),
                samples -> Markdown.number(median(samples, "bytes"), 0) + " (" + more(samples, "bytes", 1) + ")");
    }

    /** Round trips, and how many more than those of the twin. */
    String roundTrips() {
        return tables(
                WirePart.FILE,
                "round trips",
                samples -> Markdown.number(median(samples, "unguarded_round_trips"), 0),
                samples -> Markdown.number(median(samples, "round_trips"), 0) + " (" + more(samples, "round_trips", 0)
                        + ")");
    }

    /** The middle of the ratios of neighbouring samples. */
    static double ratio(List<Sample> samples) {
        return Quantiles.of(samples.stream().mapToDouble(s -> s.number("us") / s.number("unguarded_us")))
                .median();
    }

    /** How many more, as a signed number. */
    static double difference(List<Sample> samples, String column) {
        return Quantiles.of(samples.stream().mapToDouble(s -> s.number(column) - s.number("unguarded_" + column)))
                .median();
    }

    private static String more(List<Sample> samples, String column, int digits) {
        double difference = difference(samples, column);
        return (difference < 0 ? "-" : "+") + Markdown.number(Math.abs(difference), digits);
    }

    private static double median(List<Sample> samples, String column) {
        return Quantiles.of(samples.stream().mapToDouble(s -> s.number(column))).median();
    }

    private static double quartile(List<Sample> samples, String column) {
        return Quantiles.of(samples.stream().mapToDouble(s -> s.number(column))).at(0.25);
    }

    private String tables(
            String file, String unit, Function<List<Sample>, String> bare, Function<List<Sample>, String> guarded) {
        Markdown text = new Markdown();
        for (String version : data.versions()) {
            List<Sample> all = data.samples(file, version);
            for (String tenants : RawData.values(all, "tenants")) {
                List<Sample> samples = where(all, "tenants", tenants);
                List<String> operations = RawData.values(samples, "operation");
                text.line(Markdown.title(version, Markdown.tenants(tenants) + ", " + unit));
                text.head(Stream.concat(Stream.of(NOTHING), operations.stream()).toList());
                text.row(row(Contender.UNGUARDED.name(), samples, operations, bare));
                for (String contender : RawData.values(samples, "contender")) {
                    text.row(row(contender, where(samples, "contender", contender), operations, guarded));
                }
                text.end();
            }
        }
        return text.toString();
    }

    private static List<String> row(
            String name, List<Sample> samples, List<String> operations, Function<List<Sample>, String> cell) {
        List<String> row = new ArrayList<>(List.of(name));
        for (String operation : operations) {
            List<Sample> some = where(samples, "operation", operation);
            row.add(some.isEmpty() ? NOTHING : cell.apply(some));
        }
        return row;
    }

    static List<Sample> where(List<Sample> samples, String column, String value) {
        return samples.stream().filter(sample -> sample.is(column, value)).toList();
    }
}
