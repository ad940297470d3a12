package io.homeshard.guard.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Raw data: a file with a header and a line for each sample. Values hold no semicolons. Not thread-safe. */
final class Csv implements AutoCloseable {
    private static final String BETWEEN = ";";

    private final BufferedWriter out;
    private final int width;

    private Csv(BufferedWriter out, int width) {
        this.out = out;
        this.width = width;
    }

    /** Starts a file anew. */
    static Csv create(Path file, String... columns) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Csv csv = new Csv(Files.newBufferedWriter(file), columns.length);
            csv.row((Object[]) columns);
            return csv;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a line; numbers that are not whole get three digits behind the point. */
    void row(Object... values) {
        if (values.length != width) {
            throw new IllegalArgumentException("values must be " + width + ", were " + values.length);
        }
        try {
            out.write(Arrays.stream(values).map(Csv::text).collect(Collectors.joining(BETWEEN)));
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Object value) {
        String text = value instanceof Double number ? String.format(Locale.ROOT, "%.3f", number) : value.toString();
        if (text.contains(BETWEEN) || text.contains("\n")) {
            throw new IllegalArgumentException("value must not hold a semicolon or a line break, was " + text);
        }
        return text;
    }

    /** Reads a file; empty when there is none. */
    static List<Sample> read(Path file) {
        if (Files.notExists(file)) {
            return List.of();
        }
        try {
            List<String> lines = Files.readAllLines(file);
            String[] columns = lines.get(0).split(BETWEEN, -1);
            List<Sample> samples = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] values = line.split(BETWEEN, -1);
                Map<String, String> sample = new LinkedHashMap<>();
                for (int i = 0; i < columns.length; i++) {
                    sample.put(columns[i], values[i]);
                }
                samples.add(new Sample(sample));
            }
            return samples;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
