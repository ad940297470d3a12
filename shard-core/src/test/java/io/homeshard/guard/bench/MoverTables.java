package io.homeshard.guard.bench;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * What mover and writers wait for each other, a row for each contender.
 *
 * @param data the samples
 */
record MoverTables(RawData data) {
    /** Freezes while writers are busy. */
    String freezes() {
        return tables(
                MoverPart.FREEZES,
                List.of(
                        "",
                        "freezes",
                        "with a second try",
                        "frozen after, p50 ms",
                        "p99",
                        "max",
                        "longest commit of a writer, p99 ms",
                        "max",
                        "longest refusal, max ms"),
                MoverTables::freezeRow);
    }

    private static void freezeRow(Markdown text, List<Sample> samples) {
        Quantiles frozen = quantiles(samples, "frozen_ms");
        Quantiles commits = quantiles(samples, "longest_commit_ms");
        text.row(List.of(
                samples.get(0).text("contender"),
                "" + samples.size(),
                "" + samples.stream().filter(sample -> !sample.is("tries", 1)).count(),
                millis(frozen.median()),
                millis(frozen.at(0.99)),
                millis(frozen.max()),
                millis(commits.at(0.99)),
                millis(commits.max()),
                millis(quantiles(samples, "longest_refusal_ms").max())));
    }

    /** Freezes while a transaction holds the tenant. */
    String stalls() {
        return tables(
                MoverPart.STALLS,
                List.of(
                        "",
                        "transactions",
                        "held for, ms",
                        "tries, median",
                        "frozen after, median ms",
                        "mover queued, share of time",
                        "commits meanwhile, median",
                        "writers, p50 ms",
                        "p99, worst",
                        "max, worst"),
                MoverTables::stallRow);
    }

    private static void stallRow(Markdown text, List<Sample> samples) {
        double queued = samples.stream().mapToDouble(s -> s.number("queued_ms")).sum();
        double frozen = samples.stream().mapToDouble(s -> s.number("frozen_ms")).sum();
        text.row(List.of(
                samples.get(0).text("contender"),
                "" + samples.size(),
                Markdown.number(quantiles(samples, "held_ms").median(), 0),
                Markdown.number(quantiles(samples, "tries").median(), 0),
                Markdown.number(quantiles(samples, "frozen_ms").median(), 0),
                Markdown.number(queued / frozen, 2),
                Markdown.number(quantiles(samples, "commits").median(), 0),
                millis(quantiles(samples, "writers_p50_ms").median()),
                millis(quantiles(samples, "writers_p99_ms").max()),
                millis(quantiles(samples, "writers_max_ms").max())));
    }

    static Quantiles quantiles(List<Sample> samples, String column) {
        return Quantiles.of(samples.stream().mapToDouble(sample -> sample.number(column)));
    }

    private static String millis(double value) {
        return Markdown.number(value, 1);
    }

    private String tables(String file, List<String> head, BiConsumer<Markdown, List<Sample>> row) {
        Markdown text = new Markdown();
        for (String version : data.versions()) {
            List<Sample> all = data.samples(file, version);
            if (all.isEmpty()) {
                continue;
            }
            text.line(Markdown.title(version, ""));
            text.head(head);
            for (String contender : RawData.values(all, "contender")) {
                row.accept(text, CostTables.where(all, "contender", contender));
            }
            text.end();
        }
        return text.toString();
    }
}
