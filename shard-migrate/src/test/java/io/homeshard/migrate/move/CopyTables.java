package io.homeshard.migrate.move;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the page with the figures says, made of raw data. Each ratio is the median of those within one repetition. */
final class CopyTables {
    private CopyTables() {}

    /** The page with both tables as the raw data say. */
    static String filled(String page, List<String> copies, List<String> moves) {
        return filled(filled(page, "copies", speed(copies)), "moves", moves(moves));
    }

    private static String filled(String page, String name, String table) {
        String begin = "<!-- " + name + " -->\n";
        int from = page.indexOf(begin);
        int to = page.indexOf("<!-- end " + name + " -->");
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("page must hold " + begin.strip() + " and then its end");
        }
        return page.substring(0, from + begin.length()) + "\n" + table + "\n" + page.substring(to);
    }

    private static List<String[]> samples(List<String> lines) {
        return lines.stream().skip(1).map(line -> line.split(";", -1)).toList();
    }

    static String speed(List<String> lines) {
        List<String[]> samples = samples(lines);
        StringBuilder text = new StringBuilder("""
                | target | contender | rows | MB | seconds, median | MB/s | throughput, ratio to psql |
                |---|---|--:|--:|--:|--:|--:|
                """);
        for (String target : List.of("guarded", "unguarded")) {
            for (String contender : List.of("psql", "one stream", "four streams")) {
                List<Double> seconds = new ArrayList<>();
                List<Double> ratios = new ArrayList<>();
                String[] any = {};
                for (String[] sample : samples) {
                    if (sample[1].equals(contender) && sample[2].equals(target)) {
                        any = sample;
                        double mine = Double.parseDouble(sample[5]);
                        seconds.add(mine);
                        ratios.add(psql(samples, sample[0], target) / mine);
                    }
                }
                if (any.length > 0) {
                    double time = median(seconds);
                    text.append(String.format(
                            Locale.ROOT,
                            "| %s | %s | %,d | %.0f | %.2f | %.0f | %.2f |%n",
                            target,
                            contender,
                            Long.parseLong(any[3]),
                            Double.parseDouble(any[4]),
                            time,
                            Double.parseDouble(any[4]) / time,
                            median(ratios)));
                }
            }
        }
        return text.toString();
    }

    private static double psql(List<String[]> samples, String repeat, String target) {
        return samples.stream()
                .filter(sample -> sample[0].equals(repeat) && sample[1].equals("psql") && sample[2].equals(target))
                .mapToDouble(sample -> Double.parseDouble(sample[5]))
                .findFirst()
                .orElse(Double.NaN);
    }

    static String moves(List<String> lines) {
        List<String[]> samples = samples(lines);
        StringBuilder text = new StringBuilder("""
                | rows | frozen, ms | of it copying, ms | of it comparing, ms | whole move with its plan, ms |
                |--:|--:|--:|--:|--:|
                """);
        for (String rows : samples.stream().map(sample -> sample[1]).distinct().toList()) {
            text.append("| ").append(String.format(Locale.ROOT, "%,d", Long.parseLong(rows)));
            for (int column : new int[] {2, 3, 4, 5}) {
                text.append(String.format(
                        Locale.ROOT,
                        " | %,.0f",
                        median(samples.stream()
                                .filter(sample -> sample[1].equals(rows))
                                .map(sample -> Double.parseDouble(sample[column]))
                                .toList())));
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
