package io.homeshard.guard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page with the figures: people write its words, and this its tables, between two comments each. */
final class PerformancePage {
    private PerformancePage() {}

    /** Writes the tables into the page anew. */
    static void write(Path page, RawData data) {
        try {
            Files.writeString(page, filled(Files.readString(page), data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of the page with the tables of the data. */
    static String filled(String text, RawData data) {
        String result = text;
        for (Map.Entry<String, String> table : tables(data).entrySet()) {
            String begin = "<!-- table " + table.getKey() + " -->\n";
            String end = "<!-- end " + table.getKey() + " -->";
            int from = result.indexOf(begin);
            int to = result.indexOf(end);
            if (from < 0 || to < from) {
                throw new IllegalArgumentException("page must hold " + begin.strip() + " and then " + end);
            }
            result = result.substring(0, from + begin.length()) + "\n" + table.getValue() + result.substring(to);
        }
        return result;
    }

    private static Map<String, String> tables(RawData data) {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("machine", machine(data));
        tables.put("goals", new Goals(data).table());
        CostTables cost = new CostTables(data);
        tables.put("cpu", cost.cpu());
        tables.put("wal", cost.wal());
        tables.put("round-trips", cost.roundTrips());
        ThroughputTables speed = new ThroughputTables(data);
        tables.put("throughput", speed.throughput());
        tables.put("delay", speed.delay());
        MoverTables mover = new MoverTables(data);
        tables.put("freeze", mover.freezes());
        tables.put("stall", mover.stalls());
        return tables;
    }

    private static String machine(RawData data) {
        Markdown text = new Markdown();
        for (String version : data.versions()) {
            List<Sample> facts = data.samples(GuardBench.MACHINE, version);
            if (facts.isEmpty()) {
                continue;
            }
            text.head(List.of("", facts.get(0).text("value")));
            facts.stream().skip(1).forEach(fact -> text.row(List.of(fact.text("what"), fact.text("value"))));
            text.end();
        }
        return text.toString();
    }
}
