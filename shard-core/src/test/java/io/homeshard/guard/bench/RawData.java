package io.homeshard.guard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that runs have left, each with the major version of the server in its name.
 *
 * @param folder where they lie
 */
record RawData(Path folder) {
    private static final Pattern NAME = Pattern.compile("[a-z]+-(\\d+)\\.csv");

    /** Versions for which there are files, newest first. */
    List<String> versions() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> name.group(1))
                    .distinct()
                    .sorted(Comparator.comparingInt((String version) -> Integer.parseInt(version))
                            .reversed())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Samples of one kind; empty when that was not measured. */
    List<Sample> samples(String name, String version) {
        return Csv.read(folder.resolve(name + "-" + version + ".csv"));
    }

    /** Values of a column, each once, in the order of their first sample. */
    static List<String> values(List<Sample> samples, String column) {
        return samples.stream().map(sample -> sample.text(column)).distinct().toList();
    }
}
